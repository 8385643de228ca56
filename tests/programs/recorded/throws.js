function check(count) {
  debugger;
  const next = count + 1; // @bp check
  if (next > 2) throw new RangeError(`too many: ${next}`);
  return next;
}

console.log(check(1));
check(2);
