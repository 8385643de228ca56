let answer = 41; // @bp first
answer += 1; // @bp second
console.log(answer);
//# sourceMappingURL=alone.js.map