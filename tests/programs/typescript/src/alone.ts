let answer: number = 41; // @bp first
answer += 1; // @bp second
console.log(answer);
