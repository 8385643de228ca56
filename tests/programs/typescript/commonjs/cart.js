"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.total = total;
function total(items) {
    let sum = 0;
    for (const item of items) {
        sum += item.price * item.qty; // @bp body
    }
    return sum;
}
//# sourceMappingURL=cart.js.map