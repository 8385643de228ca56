// Runs the marked line as often as its argument says: the program of every scenario.
const hits = Number(process.argv[2]);
const state = { total: 0, name: "count", seen: [1, 2, 3] };
for (let i = 0; i < hits; i += 1) {
  state.total += i; // @bp hit
}
if (state.total !== (hits * (hits - 1)) / 2) process.exitCode = 1;
