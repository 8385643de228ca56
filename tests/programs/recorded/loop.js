function sum(items) {
  let total = 0;
  for (const item of items) { // @bp loop
    // Nothing to stop at in a comment. @bp comment
    total += item.price; // @bp body
  }
  return total; // @bp return
}

function neverCalled() {
  return 'unreached'; // @bp unreached
}

console.log(sum([{ price: 1 }, { price: 2 }, { price: 3 }]), typeof neverCalled); // @bp call
// The end of the file, which is the end of the function that node makes of it. @bp end
