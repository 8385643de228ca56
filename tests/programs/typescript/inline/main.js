"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const started = "yes"; // @bp first
const cart_js_1 = require("./cart.js");
const names = ["a", started]; // @bp names
console.log((0, cart_js_1.total)([{ price: 2, qty: 3 }, { price: 4, qty: 1 }]), names);
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJmaWxlIjoibWFpbi5qcyIsInNvdXJjZVJvb3QiOiIiLCJzb3VyY2VzIjpbIi4uL3NyYy9tYWluLnRzIl0sIm5hbWVzIjpbXSwibWFwcGluZ3MiOiI7O0FBQUEsTUFBTSxPQUFPLEdBQVcsS0FBSyxDQUFDLENBQUMsWUFBWTtBQUMzQyx1Q0FBa0M7QUFJbEMsTUFBTSxLQUFLLEdBQVUsQ0FBQyxHQUFHLEVBQUUsT0FBTyxDQUFDLENBQUMsQ0FBQyxZQUFZO0FBQ2pELE9BQU8sQ0FBQyxHQUFHLENBQUMsSUFBQSxlQUFLLEVBQUMsQ0FBQyxFQUFFLEtBQUssRUFBRSxDQUFDLEVBQUUsR0FBRyxFQUFFLENBQUMsRUFBRSxFQUFFLEVBQUUsS0FBSyxFQUFFLENBQUMsRUFBRSxHQUFHLEVBQUUsQ0FBQyxFQUFFLENBQUMsQ0FBQyxFQUFFLEtBQUssQ0FBQyxDQUFDIn0=