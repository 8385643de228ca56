// Has V8 drop what evaluating a breakpoint's condition leaves behind, so that a long run stays as fast as it began.
//
// One expression: a factory `(builtinModule) => collect`, where `builtinModule` loads a module of Node's own.
//
// At each hit V8 compiles the condition anew and keeps the script in lists that it goes through at the next hits. Only
// the garbage collector takes them out, in callbacks for which a program in a busy loop has no time, unless the
// collection was asked for by the function `gc`. That one is only there in global scopes that are made while a flag is
// set: it is taken from one that nobody else sees, when it is first needed.
(builtinModule) => {
  "use strict";

  const EVALUATIONS = 2_000;
  const MOST_OF_THE_TIME = 0.1;

  const milliseconds = Date.now; // `process`, which has a better clock, is not in every global scope
  const given = globalThis.gc; // where the program itself is run with the flag
  let gc = typeof given === "function" ? given : undefined;
  let evaluations = 0;
  let notBefore = 0;

  const takeFunction = () => {
    const { setFlagsFromString } = builtinModule("v8");
    setFlagsFromString("--expose-gc");
    try {
      gc = builtinModule("vm").runInNewContext("gc");
    } finally {
      setFlagsFromString("--no-expose-gc");
    }
  };

  // A large heap takes long to collect: then it is done less often.
  const collectIfItPays = () => {
    const began = milliseconds();
    if (began < notBefore) return;
    if (gc === undefined) takeFunction();
    gc();
    const ended = milliseconds();
    notBefore = ended + (ended - began) / MOST_OF_THE_TIME;
  };

  // To be called at every evaluation.
  return () => {
    evaluations += 1;
    if (evaluations < EVALUATIONS) return;
    evaluations = 0;
    try {
      collectIfItPays();
    } catch {
      // No room on the stack, or the function cannot be had: it would only have made things faster.
    }
  };
}
