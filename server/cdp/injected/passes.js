// Decides at each pass of a session's breakpoint whether the program stands still there, counts, and writes log lines.
//
// One expression: a factory `(serialiser, send, tidyUp, allowance) => passes`.
//   serialiser  see serialiser.js
//   send        the debugger's binding, which makes an event of a string; undefined where there is none
//   tidyUp      to be called at every evaluation of a condition; see collector.js
//   allowance   hits, characters: how much may be under way before the reader has to catch up
//
// A breakpoint is named by its id in the session. A report is a word, that id, and what the word asks for:
//   "hit ID"           the condition was true here
//   "log ID TEXT"      the same, and this is the line
//   "failed ID JSON"   the condition threw, and this is what; only the first time
//   "catch up ID"      the program stands still now, until everything before this has been read
//
// The rules of serialiser.js hold here too: nothing is looked up that the program could have changed.
(serialiser, send, tidyUp, allowance) => {
  "use strict";

  const LONGEST_LINE = 10_000;
  const { line: shortText, thrown } = serialiser;
  const slice = Function.prototype.call.bind(String.prototype.slice);
  const canSend = typeof send === "function";
  const counts = { __proto__: null };
  const failures = { __proto__: null };
  const trusted = { __proto__: null };
  let reports = 0;
  let characters = 0;
  let line = "";

  const report = (text) => {
    reports += 1;
    characters += text.length;
    send(text);
  };

  const mustCatchUp = (id) => {
    if (reports < allowance.hits && characters < allowance.characters) return false;
    send("catch up " + id);
    return true;
  };

  // The program stands still, or is about to: then everything is read before it goes on.
  const hasRead = () => {
    reports = 0;
    characters = 0;
    return true;
  };

  const admits = (count, operator, number) => {
    switch (operator) {
      case "==": return count === number;
      case ">=": return count >= number;
      case ">": return count > number;
      case "<": return count < number;
      case "<=": return count <= number;
      case "%": return count % number === 0;
      default: return true;
    }
  };

  const isCounted = (id, operator, number) => {
    const count = (counts[id] || 0) + 1;
    counts[id] = count;
    return admits(count, operator, number);
  };

  // The first pass after a breakpoint was set is a stop: only there the debugger knows whether V8 asks once a pass.

  const isTrusted = (setting) => trusted[setting] === true;

  const trust = (setting) => {
    trusted[setting] = true;
  };

  // Each of these is the value of a breakpoint's condition: true when the program has to stand still here.

  const stop = (id, isMet, operator, number) => {
    tidyUp();
    if (!isMet) return false;
    const isWanted = isCounted(id, operator, number);
    report("hit " + id);
    return (isWanted || mustCatchUp(id)) && hasRead();
  };

  const logged = (id) => {
    const text = line.length > LONGEST_LINE ? slice(line, 0, LONGEST_LINE) + "…" : line;
    line = "";
    report("log " + id + " " + text);
    return mustCatchUp(id) && hasRead();
  };

  const failed = (id, error) => {
    if (failures[id] !== true) {
      failures[id] = true;
      report("failed " + id + " " + thrown(error));
    }
    return mustCatchUp(id) && hasRead();
  };

  // A line is put together between `startsLine` and `logged`.

  const startsLine = (id, isMet, operator, number) => {
    tidyUp();
    line = "";
    if (!isMet) return false;
    if (isCounted(id, operator, number)) return true;
    report("hit " + id);
    return false;
  };

  const write = (text) => {
    line += text;
  };

  const writeValue = (value) => {
    line += shortText(value);
  };

  const writeThrown = (error) => {
    line += "<" + shortText(error) + ">";
  };

  const skipped = (id) => mustCatchUp(id) && hasRead();

  return Object.freeze({
    __proto__: null,
    canSend,
    hasRead,
    isTrusted,
    trust,
    stop,
    startsLine,
    write,
    writeValue,
    writeThrown,
    logged,
    skipped,
    failed,
  });
}
