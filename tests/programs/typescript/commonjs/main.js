"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const started = "yes"; // @bp first
const cart_js_1 = require("./cart.js");
const names = ["a", started]; // @bp names
console.log((0, cart_js_1.total)([{ price: 2, qty: 3 }, { price: 4, qty: 1 }]), names);
//# sourceMappingURL=main.js.map