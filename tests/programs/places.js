"use strict";

function double(a) { // @bp head
  const b = a * 2;
  return b; // @bp return
} // @bp function end
const triple = (a) => a * 3; // @bp arrow
const quadruple = (a) =>
  a * 4; // @bp arrow body

// @bp comment
double(1);

[5, 6].map(triple);
[7, 8].map(quadruple);
/*
  @bp block comment
*/
const last = double(2); // @bp after comment

class Counter {
  static made = 0; // @bp static field
  #count = 1;
  step = 2; // @bp field
  static {
    this.ready = true; // @bp static block
  }
  get count() {
    return this.#count; // @bp getter
  }
  *[Symbol.iterator]() {
    yield this.#count; // @bp generator
  }
}
const counter = new Counter();
counter.count;
[...counter];

const options = {
  a: 1,
  b: double(3), // @bp property
};
switch (options.a) {
  case 1:
    console.log(last); // @bp case
}
label: for (const key in options) {
  for (const other of [1, 2]) {
    if (other === 2) continue label; // @bp loop
  }
}
try {
  null.x; // @bp throws
} catch (error) {
  console.log(error.message); // @bp catch
} finally {
  console.log("done"); // @bp finally
}
if (options.a > 5) {
  console.log("never"); // @bp never
}
exports.unused = function () {
  return 1; // @bp never called
};
// @bp end
