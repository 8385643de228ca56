// Takes a few properties, elements or entries out of an object that may have millions, without running its code.
//
// One expression: a factory `(util) => pager`; `util` is node's module, null in another runtime.
//
// What is taken comes back in an object without a prototype that has the very same properties, accessors as accessors,
// so that the debugger describes them as it would have described the whole.
//
// The rules of serialiser.js hold here too: every built-in is captured, and nothing is asked of a Proxy.
(util) => {
  "use strict";

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
  const { ownKeys } = Reflect;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const getterOf = (prototype, key) => uncurry(getOwnPropertyDescriptor(prototype, key).get);
  const mapSize = getterOf(Map.prototype, "size");
  const setSize = getterOf(Set.prototype, "size");
  const mapEntries = uncurry(Map.prototype.entries);
  const setValues = uncurry(Set.prototype.values);
  const nextEntry = uncurry(getPrototypeOf(new Map().entries()).next);
  const nextValue = uncurry(getPrototypeOf(new Set().values()).next);
  const typedArrayLength = getterOf(getPrototypeOf(Uint8Array.prototype), "length");

  const succeeds = (probe) => (v) => {
    try {
      probe(v);
      return true;
    } catch {
      return false;
    }
  };
  const types = util === null ? {} : util.types;
  const isProxy = types.isProxy || (() => false);
  const isMap = types.isMap || succeeds(mapSize);
  const isSet = types.isSet || succeeds(setSize);
  const isTypedArray = types.isTypedArray || ((v) => isView(v) && succeeds(typedArrayLength)(v));

  const lengthOf = (list) => (isArray(list) ? getOwnPropertyDescriptor(list, "length").value : typedArrayLength(list));

  const put = (container, key, found) => {
    if (found !== undefined) defineProperty(container, key, setPrototypeOf(found, null));
  };

  const putValue = (container, key, value) => put(container, key, { value, enumerable: true });

  const descriptorOf = (o, key) => {
    try {
      return getOwnPropertyDescriptor(o, key);
    } catch {
      return undefined; // an export of a module that is still in its dead zone
    }
  };

  // "KIND TOTAL OWN": what there is to page through, how much of it, and how many properties there are besides.
  const measure = (o) => {
    if (isProxy(o)) return "proxy 0 0";
    if (isArray(o) || isTypedArray(o)) return "list " + lengthOf(o) + " 0";
    if (isMap(o)) return "map " + mapSize(o) + " " + ownKeys(o).length;
    if (isSet(o)) return "set " + setSize(o) + " " + ownKeys(o).length;
    return "object " + ownKeys(o).length + " 0";
  };

  const elements = (list, start, count) => {
    const container = { __proto__: null };
    const length = lengthOf(list);
    for (let i = start; i < start + count && i < length; i++) put(container, i, descriptorOf(list, i));
    return container;
  };

  const properties = (o, start, count) => {
    const container = { __proto__: null };
    const keys = ownKeys(o);
    for (let i = start; i < start + count && i < keys.length; i++) put(container, keys[i], descriptorOf(o, keys[i]));
    return container;
  };

  const named = (o, names) => {
    const container = { __proto__: null };
    if (isProxy(o)) return container;
    for (let i = 0; i < names.length; i++) put(container, names[i], descriptorOf(o, names[i]));
    return container;
  };

  // Of a Map, keys and values in turn.
  const entries = (map, start, count) => {
    const container = { __proto__: null };
    const iterator = mapEntries(map);
    for (let i = 0; i < start + count; i++) {
      const found = nextEntry(iterator);
      if (found.done) break;
      if (i < start) continue;
      putValue(container, 2 * (i - start), found.value[0]);
      putValue(container, 2 * (i - start) + 1, found.value[1]);
    }
    return container;
  };

  const values = (set, start, count) => {
    const container = { __proto__: null };
    const iterator = setValues(set);
    for (let i = 0; i < start + count; i++) {
      const found = nextValue(iterator);
      if (found.done) break;
      if (i >= start) putValue(container, i, found.value);
    }
    return container;
  };

  return Object.freeze({ __proto__: null, measure, elements, properties, named, entries, values });
}
