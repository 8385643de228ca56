// Runs the marked line as often as its first argument says, as deep in calls as its second: the program of every
// scenario. Its own clock tells when each tenth of the hits began.
const hits = Number(process.argv[2]);
const depth = Number(process.argv[3]);
const state = { total: 0, name: "count", seen: [1, 2, 3] };
const tenths = [];

function count() {
  for (let i = 0; i < hits; i += 1) {
    if (i % (hits / 10) === 0) tenths.push(performance.now());
    state.total += i; // @bp hit
  }
}

function descend(calls) {
  if (calls === 0) count();
  else descend(calls - 1);
}

descend(depth - 2); // two of the functions on the stack are `count` and the last `descend`
if (state.total !== (hits * (hits - 1)) / 2) process.exitCode = 1;
