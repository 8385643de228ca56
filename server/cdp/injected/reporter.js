// Sends what was captured out of the debugged program while it runs on, and tells it when to stand still after all.
//
// One expression: a factory `(serialiser, send, tidyUp, allowance) => reporter`.
//   serialiser  see serialiser.js
//   send        the debugger's binding, which makes an event of a string; undefined where there is none
//   tidyUp      to be called at every evaluation of a condition; see collector.js
//   allowance   hits, characters: how much may be under way before the reader has to catch up, so that nobody's memory
//               grows with the number of hits
//               left: how many hits are wanted; 0 means all
//
// A report is the JSON text of a result, which begins with a brace, or one of the words below.
//   "unmet"           the condition is not true here
//   "failed MESSAGE"  the condition threw; only the first time
//   "catch up"        the program stands still now, until everything before this has been read
//   "enough"          the program stands still now: no more hits are wanted
//
// The rules of serialiser.js hold here too: nothing is looked up that the program could have changed.
(serialiser, send, tidyUp, allowance) => {
  "use strict";

  const canSend = typeof send === "function";
  let left = allowance.left;
  let hits = 0;
  let characters = 0;
  let hasFailed = false;
  let isMet = false;

  const mustStop = (text) => {
    hits += 1;
    characters += text.length;
    left -= 1;
    if (left === 0) return "enough";
    if (hits < allowance.hits && characters < allowance.characters) return "";
    hits = 0;
    characters = 0;
    return "catch up";
  };

  // For conditions of breakpoints: true when the program has to stop here.

  const captured = (text) => {
    send(text);
    tidyUp();
    const why = mustStop(text);
    if (why === "") return false;
    send(why);
    return true;
  };

  // What the agent's condition came to is kept for the evaluation that follows: it is evaluated once a hit.
  const met = (value) => {
    tidyUp();
    isMet = !!value;
    return isMet;
  };

  const unmet = () => {
    tidyUp();
    return false;
  };

  const reportFailed = (error) => {
    tidyUp();
    const text = failed(error);
    if (text !== "unmet") send(text);
    return false;
  };

  // For evaluations while the program stands still.

  const kept = (text) => {
    left -= 1;
    return text;
  };

  const takeMet = () => {
    const was = isMet;
    isMet = false;
    return was;
  };

  // A condition that throws is not met; the first time says why.
  const failed = (error) => {
    if (hasFailed) return "unmet";
    hasFailed = true;
    return "failed " + serialiser.thrown(error);
  };

  return Object.freeze({
    __proto__: null,
    value: serialiser.value,
    thrown: serialiser.thrown,
    canSend,
    captured,
    met,
    unmet,
    reportFailed,
    kept,
    takeMet,
    failed,
  });
}
