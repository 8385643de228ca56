// Turns any JavaScript value into JSON text inside the debugged program, without running any of its code.
//
// One expression: a factory `(util, limits, internals) => serialiser`.
//   util       node's `util` module; null in another runtime (then a Proxy cannot be told from its target)
//   limits     an object with numbers, each optional (see `limit` below):
//     depth         levels of nesting that are shown; at most 200, so that no reader's stack overflows
//     items         elements of one array, Map, Set or typed array
//     properties    properties of one object
//     string        characters of one string
//     functionText  characters of a function's source text, when the function is the value itself
//     bytes         size of one result in UTF-8; the envelope around the value and the last cut marks come on top
//   internals  optional `{getPromiseDetails, getProxyDetails}` of `internalBinding("util")`. Nothing public tells
//              the state of a promise or the target of a proxy without running code of the program: util.inspect
//              reads Symbol.toStringTag, static names and Symbol.hasInstance of what they hold.
//
// The serialiser has three functions, which do not throw. Two return JSON text, the third a line for a reader:
//   value(v)   {"type": typeof v, "value": ..., "truncated"?: {depth, items, properties, characters}}
//   thrown(e)  {"type": "error", "value": "TypeError: message"}
//   line(v)    { a: 1, b: [ 2, 3 ] }
//
// Rules for whoever edits this file. Every built-in is captured here, before the program runs, since the program
// may patch it. No for-of, spread, array destructuring, array push, regular expression, `in` or `instanceof` after
// creation: each can call patched code or leave a trace (RegExp.$1). Properties of the program's objects are read
// through descriptors only, and never from a Proxy. The file is long because it has to be one expression.
(util, limits, internals) => {
  "use strict";

  // ---------------------------------------------------------------------------------------------- primordials

  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { getPrototypeOf, getOwnPropertyDescriptor, getOwnPropertySymbols, keys: enumerableKeys } = Object;
  const { ownKeys } = Reflect;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const { floor } = Math;
  const quote = JSON.stringify; // given primitive strings only: for those it looks nothing up
  const ByteArray = Uint8Array;
  const ErrorClass = Error;
  const ErrorPrototype = Error.prototype;
  const PromisePrototype = Promise.prototype;
  const ObjectPrototype = Object.prototype;
  const { toStringTag } = Symbol;
  const globalObject = globalThis;

  const getterOf = (prototype, key) => {
    const found = getOwnPropertyDescriptor(prototype, key);
    return found !== undefined && found.get !== undefined ? uncurry(found.get) : undefined;
  };
  const hasOwn = uncurry(ObjectPrototype.hasOwnProperty);
  const isEnumerable = uncurry(ObjectPrototype.propertyIsEnumerable);
  const sourceText = uncurry(Function.prototype.toString);
  const charCodeAt = uncurry(String.prototype.charCodeAt);
  const indexOf = uncurry(String.prototype.indexOf);
  const slice = uncurry(String.prototype.slice);
  const symbolText = uncurry(Symbol.prototype.toString);
  const dateTime = uncurry(Date.prototype.getTime);
  const dateText = uncurry(Date.prototype.toISOString);
  const mapSize = getterOf(Map.prototype, "size");
  const mapEntries = uncurry(Map.prototype.entries);
  const nextEntry = uncurry(getPrototypeOf(new Map().entries()).next);
  const setSize = getterOf(Set.prototype, "size");
  const setValues = uncurry(Set.prototype.values);
  const nextValue = uncurry(getPrototypeOf(new Set().values()).next);
  const typedArrayLength = getterOf(getPrototypeOf(ByteArray.prototype), "length");
  const bufferLength = getterOf(ArrayBuffer.prototype, "byteLength");
  const sharedLength =
    typeof SharedArrayBuffer === "function" ? getterOf(SharedArrayBuffer.prototype, "byteLength") : undefined;
  const viewBuffer = getterOf(DataView.prototype, "buffer");
  const viewLength = getterOf(DataView.prototype, "byteLength");
  const viewOffset = getterOf(DataView.prototype, "byteOffset");
  const regExpSource = getterOf(RegExp.prototype, "source");

  const succeeds = (probe) => (v) => {
    try {
      probe(v);
      return true;
    } catch {
      return false;
    }
  };

  // [text of the flag, getter]: `flags` itself would read properties that the program can override.
  const regExpFlags = [
    ["d", "hasIndices"], ["g", "global"], ["i", "ignoreCase"], ["m", "multiline"],
    ["s", "dotAll"], ["u", "unicode"], ["v", "unicodeSets"], ["y", "sticky"],
  ]
    .map((flag) => ({ letter: flag[0], isSet: getterOf(RegExp.prototype, flag[1]) }))
    .filter((flag) => flag.isSet !== undefined);

  const boxes = [
    ["Number", Number.prototype.valueOf], ["String", String.prototype.valueOf],
    ["Boolean", Boolean.prototype.valueOf], ["Symbol", Symbol.prototype.valueOf],
    ["BigInt", BigInt.prototype.valueOf],
  ].map((box) => {
    const unbox = uncurry(box[1]);
    const known = util === null ? undefined : util.types["is" + box[0] + "Object"];
    return { name: box[0], unbox, holds: known || succeeds(unbox) };
  });

  // Built-in classes whose content is behind native getters only: class name -> what to read from an instance.
  // Only what looks nothing up: URLSearchParams, say, fills an array, which a setter on Array.prototype would notice.
  const nativeContents = (() => {
    const contents = { __proto__: null };
    const add = (holder, name, field, read) => {
      const found = getOwnPropertyDescriptor(holder, name);
      if (found !== undefined && typeof found.value === "function") {
        contents[name] = { field, read: read(found.value), prototype: found.value.prototype };
      }
    };
    const toText = (Class) => uncurry(Class.prototype.toString);
    add(globalObject, "URL", "href", (Class) => {
      const href = getterOf(Class.prototype, "href");
      const fields = ownKeys(new Class("about:blank")).length; // Node 18 keeps the parts under symbols
      return (url) => (ownKeys(url).length < fields ? undefined : href(url));
    });
    const temporal = getOwnPropertyDescriptor(globalObject, "Temporal");
    if (temporal !== undefined && temporal.value) {
      Object.getOwnPropertyNames(temporal.value).forEach((name) => add(temporal.value, name, "value", toText));
    }
    return contents;
  })();

  // DOMException keeps its name and message behind getters. Where it is a lazy global (Node 18 and 20), reading it
  // replaces the global's accessor: put that back, so that the program finds what it would have found.
  const domGetters = (() => {
    const found = getOwnPropertyDescriptor(globalObject, "DOMException");
    const Class = found === undefined ? undefined : globalObject.DOMException;
    if (found !== undefined && found.get) Object.defineProperty(globalObject, "DOMException", found);
    const getter = (key) => (Class ? getOwnPropertyDescriptor(Class.prototype, key).get : undefined);
    return { __proto__: null, name: getter("name"), message: getter("message"), code: getter("code") };
  })();
  const domRead = {
    __proto__: null,
    name: domGetters.name && uncurry(domGetters.name),
    message: domGetters.message && uncurry(domGetters.message),
    code: domGetters.code && uncurry(domGetters.code),
  };

  // Since V8 12 `stack` is an own accessor with this getter; before, it looks like data, but computes when read.
  const stackGetter = (getOwnPropertyDescriptor(new Error(""), "stack") || {}).get;
  const readStack = stackGetter && uncurry(stackGetter);
  const initialPrepareStackTrace = Error.prepareStackTrace; // Node 20 and later come with one of their own

  const promiseDetails = internals ? internals.getPromiseDetails : undefined;
  const proxyDetails = internals ? internals.getProxyDetails : undefined;

  // ------------------------------------------------------------------------------------------- kinds of object

  const MAX_HOPS = 1000; // along a prototype chain
  const isProxy = util === null ? () => false : util.types.isProxy;

  const inherits = (o, ancestor) => {
    let p = o;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      if (isProxy(p)) return false;
      p = getPrototypeOf(p);
      if (p === null) return false;
      if (p === ancestor) return true;
    }
    return false;
  };

  const isTagged = (o, tag) => {
    const found = getOwnPropertyDescriptor(o, toStringTag);
    return found !== undefined && hasOwn(found, "value") && found.value === tag && !found.configurable;
  };

  // Without node's predicates, a native method that throws for every other kind of object decides.
  const portable = {
    isDate: succeeds(dateTime),
    isRegExp: succeeds(regExpSource),
    isMap: succeeds(mapSize),
    isSet: succeeds(setSize),
    isNativeError: Error.isError || (() => false),
    isPromise: (v) => inherits(v, PromisePrototype),
    isArrayBuffer: succeeds(bufferLength),
    isSharedArrayBuffer: sharedLength ? succeeds(sharedLength) : () => false,
    isDataView: succeeds(viewBuffer),
    isArgumentsObject: () => false,
    isModuleNamespaceObject: (v) => getPrototypeOf(v) === null && isTagged(v, "Module"),
  };
  const types = util === null ? portable : util.types;
  const { isDate, isRegExp, isMap, isSet, isNativeError, isPromise } = types;
  const { isArrayBuffer, isSharedArrayBuffer, isDataView, isArgumentsObject, isModuleNamespaceObject } = types;
  const isError = (o) => isNativeError(o) || inherits(o, ErrorPrototype);

  const boxOf = (o) => {
    for (let i = 0; i < boxes.length; i++) if (boxes[i].holds(o)) return boxes[i];
    return undefined;
  };

  // --------------------------------------------------------------------------------------------- safe reading

  const isIdentifierCode = (c) =>
    (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 95 || c === 36 || c > 127;

  const isIdentifier = (s) => {
    if (s.length === 0 || s.length > 100) return false;
    const first = charCodeAt(s, 0);
    if (first >= 48 && first <= 57) return false;
    for (let i = 0; i < s.length; i++) if (!isIdentifierCode(charCodeAt(s, i))) return false;
    return true;
  };

  const ownData = (o, key) => {
    const found = getOwnPropertyDescriptor(o, key);
    return found !== undefined && hasOwn(found, "value") ? found.value : undefined;
  };

  // What an accessor property shows in place of a value.
  const accessorText = (descriptor) => {
    if (descriptor.get === undefined) return "[Setter]";
    return descriptor.set === undefined ? "[Getter]" : "[Getter/Setter]";
  };

  // The value that `o[key]` would give if it takes no code of the program to know it, else UNKNOWN.
  const UNKNOWN = { __proto__: null };
  const inertRead = (o, key) => {
    let holder = o;
    for (let hops = 0; holder !== null && hops < MAX_HOPS; hops++) {
      if (isProxy(holder)) return UNKNOWN;
      const found = getOwnPropertyDescriptor(holder, key);
      if (found !== undefined) {
        if (hasOwn(found, "value")) return found.value;
        return found.get !== undefined && found.get === domGetters[key] ? domValue(o, key) : UNKNOWN;
      }
      holder = getPrototypeOf(holder);
    }
    return holder === null ? undefined : UNKNOWN;
  };

  const domValue = (o, key) => {
    try {
      return domRead[key](o);
    } catch {
      return UNKNOWN; // not made by the DOMException constructor
    }
  };

  const startsWithClass = (source) => slice(source, 0, 5) === "class" && !isIdentifierCode(charCodeAt(source, 5));

  // For a class with a static member called `name`: the name that stands in its source.
  const nameInSource = (source) => {
    if (source[5] !== " ") return "";
    let end = 6;
    while (end < 106 && isIdentifierCode(charCodeAt(source, end))) end++;
    const name = slice(source, 6, end);
    return name === "extends" ? "" : name;
  };

  const functionName = (f) => {
    const name = ownData(f, "name");
    if (typeof name === "string" && name !== "") return name;
    const source = sourceText(f);
    return startsWithClass(source) ? nameInSource(source) : "";
  };

  // "Function", "AsyncFunction", "GeneratorFunction"...: the intrinsic prototypes carry these tags as data.
  const functionKind = (f) => {
    const prototype = getPrototypeOf(f);
    const tag = prototype === null || isProxy(prototype) ? undefined : ownData(prototype, toStringTag);
    return typeof tag === "string" ? tag : "Function";
  };

  const functionLabel = (f) => {
    const name = functionName(f) || "(anonymous)";
    return startsWithClass(sourceText(f)) ? "[class " + name + "]" : "[" + functionKind(f) + ": " + name + "]";
  };

  const classNameAt = (prototype) => {
    const constructor = ownData(prototype, "constructor");
    if (typeof constructor === "function" && !isProxy(constructor)) return functionName(constructor) || "(anonymous)";
    const tag = ownData(prototype, toStringTag);
    return typeof tag === "string" ? tag : "";
  };

  // The name of the nearest class, "" where there is none.
  const className = (o) => {
    let prototype = getPrototypeOf(o);
    for (let hops = 0; prototype !== null && hops < MAX_HOPS; hops++) {
      if (isProxy(prototype)) return "";
      const name = classNameAt(prototype);
      if (name !== "") return name;
      prototype = getPrototypeOf(prototype);
    }
    return "";
  };

  const regExpText = (r) => {
    let flags = "";
    for (let i = 0; i < regExpFlags.length; i++) if (regExpFlags[i].isSet(r)) flags += regExpFlags[i].letter;
    return "/" + regExpSource(r) + "/" + flags;
  };

  const timeText = (date) => {
    const time = dateTime(date);
    return time !== time ? "Invalid Date" : dateText(date);
  };

  const argumentsLength = (o) => {
    const length = ownData(o, "length");
    return typeof length === "number" && length >= 0 && length < 2 ** 32 ? floor(length) : 0;
  };

  const viewLengthOrZero = (view) => {
    try {
      return viewLength(view);
    } catch {
      return 0; // its buffer is detached, or has shrunk
    }
  };

  // Reading `stack` for the first time formats it: that calls Error.prepareStackTrace and reads name and message.
  const stackReadIsInert = (e) => {
    if (ownData(globalObject, "Error") !== ErrorClass) return false;
    const hook = inertRead(ErrorClass, "prepareStackTrace");
    if (hook !== undefined && hook !== initialPrepareStackTrace) return false;
    if (!inherits(e, ErrorPrototype)) return false; // an error of another realm has hooks of its own
    return isPrimitiveText(inertRead(e, "name")) && isPrimitiveText(inertRead(e, "message"))
      && isPrimitiveText(inertRead(e, "code"));
  };

  const isPrimitiveText = (v) =>
    v === null || (typeof v !== "object" && typeof v !== "function" && typeof v !== "symbol");

  // The descriptor of an error's own `stack` with its value in it; undefined where reading it could run code.
  const stackOf = (e) => {
    if (!hasOwn(e, "stack")) return undefined;
    if (stackGetter === undefined) return stackReadIsInert(e) ? getOwnPropertyDescriptor(e, "stack") : undefined;
    const found = getOwnPropertyDescriptor(e, "stack");
    if (hasOwn(found, "value")) return found;
    return found.get === stackGetter && stackReadIsInert(e) ? { value: readStack(e) } : undefined;
  };

  // ------------------------------------------------------------------------------------------------ the output

  const limit = (name, standard, most) => {
    const given = limits ? limits[name] : undefined;
    const chosen = typeof given === "number" && given >= 0 ? floor(given) : standard;
    return chosen > most ? most : chosen;
  };
  const maxDepth = limit("depth", 50, 200);
  const maxItems = limit("items", 1000, 2 ** 32);
  const maxProperties = limit("properties", 1000, 2 ** 32);
  const maxString = limit("string", 10000, 2 ** 28);
  const maxFunctionText = limit("functionText", 2000, 2 ** 28);
  const maxBytes = limit("bytes", 256 * 1024, 2 ** 28);

  const RESERVE = 64; // set aside for each open object: its cut mark and its closing
  const SHORT = 8; // characters that take less than RESERVE however they are escaped: never worth a cut

  let out = "";
  let room = 0; // bytes that may still be written
  let depth = 0; // levels that may still be entered
  let exact = false; // count UTF-8 bytes, not characters
  let place = null; // innermost open object: {value, parent, base, step, tail}
  let cutDepth = 0;
  let cutItems = 0;
  let cutProperties = 0;
  let cutCharacters = 0;

  const reset = (levels, countBytes) => {
    out = "";
    room = maxBytes;
    depth = levels;
    exact = countBytes;
    place = null;
    cutDepth = cutItems = cutProperties = cutCharacters = 0;
  };

  const utf8Length = (s) => {
    let length = s.length;
    for (let i = 0; i < s.length; i++) {
      const c = charCodeAt(s, i);
      if (c > 127) length += c > 2047 && (c < 0xd800 || c > 0xdfff) ? 2 : 1; // a pair of surrogates: 4 bytes
    }
    return length;
  };

  const put = (ascii) => {
    out += ascii;
    room -= ascii.length;
  };

  const putLiteral = (literal, size) => {
    out += literal;
    room -= size;
  };

  const sizeOf = (literal) => (exact ? utf8Length(literal) : literal.length);

  const putText = (s, most) => {
    let keep = s.length;
    if (keep <= most && (keep <= room || keep <= SHORT)) {
      const literal = quote(s);
      const size = sizeOf(literal);
      if (size <= room || keep <= SHORT) return putLiteral(literal, size);
      keep = floor((keep * room) / size);
    }
    return putCutText(s, most < keep ? most : keep);
  };

  const putCutText = (s, most) => {
    let keep = most < room ? most : room;
    for (;;) {
      if (keep < 0) keep = 0;
      const last = keep > 0 ? charCodeAt(s, keep - 1) : 0;
      if (last >= 0xd800 && last <= 0xdbff) keep--; // never half a pair
      const literal = quote(slice(s, 0, keep) + "… (" + (s.length - keep) + " more characters)");
      const size = sizeOf(literal);
      if (size <= room + RESERVE || keep === 0) {
        cutCharacters += s.length - keep;
        return putLiteral(literal, size);
      }
      keep = floor((keep * (room > 0 ? room : 0)) / size);
    }
  };

  const putString = (s) => putText(s, maxString);

  // Keys, names of classes and what we say in place of a value: useless when cut short, so the limit for strings
  // starts to hold for them at LABEL characters.
  const LABEL = 100;
  const maxLabel = maxString > LABEL ? maxString : LABEL;
  const putLabel = (s) => putText(s, maxLabel);

  const putKey = (key) => {
    putLabel(key);
    put(":");
  };

  // ------------------------------------------------------------------------------------- nesting and its limits

  const enter = (o) => {
    if (depth <= 0 || room < RESERVE * 2) return false;
    depth--;
    room -= RESERVE;
    place = { value: o, parent: place, base: "", step: "", tail: "" };
    return true;
  };

  const leave = () => {
    depth++;
    room += RESERVE;
    place = place.parent;
  };

  const stepText = (step) => {
    if (typeof step === "number") return "[" + step + "]";
    return isIdentifier(step) ? "." + step : "[" + quote(step) + "]";
  };

  const pathTo = (target) => {
    let path = "";
    for (let p = target.parent; p !== null; p = p.parent) path = p.base + stepText(p.step) + p.tail + path;
    return path;
  };

  const circularText = (o) => {
    for (let p = place; p !== null; p = p.parent) {
      if (p.value === o) return p.parent === null ? "[Circular]" : "[Circular: " + pathTo(p) + "]";
    }
    return undefined;
  };

  const label = (o) => {
    if (isArray(o)) return "[Array(" + ownData(o, "length") + ")]";
    if (isView(o) && !isDataView(o)) return "[" + (className(o) || "TypedArray") + "(" + typedArrayLength(o) + ")]";
    return "[" + (className(o) || "Object") + "]";
  };

  const putMoreItems = (left, needsComma) => {
    cutItems += left;
    put(needsComma ? "," : "");
    putLiteral('"… ' + left + ' more items"', 18 + ("" + left).length);
  };

  const putMoreProperties = (left, needsComma) => {
    cutProperties += left;
    put(needsComma ? "," : "");
    putLiteral('"…":"' + left + ' more properties"', 24 + ("" + left).length);
  };

  // `writeItem(source, i)` writes item i, for as many of the items as the limits admit.
  const writeItems = (source, count, writeItem) => {
    put("[");
    let i = 0;
    for (; i < count && i < maxItems && room > 0; i++) {
      if (i > 0) put(",");
      place.step = i;
      writeItem(source, i);
    }
    if (i < count) putMoreItems(count - i, i > 0);
    put("]");
  };

  // ------------------------------------------------------------------------------------------- values by kind

  const numberText = (n) => {
    if (n === 0) return 1 / n < 0 ? '"-0"' : "0";
    return n - n === 0 ? "" + n : '"' + n + '"';
  };

  const write = (v) => {
    switch (typeof v) {
      case "string":
        return putString(v);
      case "number":
        return put(numberText(v));
      case "boolean":
        return put(v ? "true" : "false");
      case "undefined":
        return put("null");
      case "bigint":
        return putString("" + v + "n");
      case "symbol":
        return putString(symbolText(v));
      case "function":
        return putLabel(isProxy(v) ? proxyText(v, 3) : functionLabel(v));
      default:
        return v === null ? put("null") : writeObject(v);
    }
  };

  const writeObject = (o) => {
    if (isProxy(o)) return putString(proxyText(o, 3));
    const prototype = getPrototypeOf(o);
    if (prototype !== ObjectPrototype) {
      if (isDate(o)) return putLabel(timeText(o));
      if (isRegExp(o)) return putString(regExpText(o));
    }
    const circular = circularText(o);
    if (circular !== undefined) return putLabel(circular);
    if (!enter(o)) {
      cutDepth++;
      return putLabel(label(o));
    }
    if (isArray(o)) writeItems(o, ownData(o, "length"), writeElement);
    else if (prototype === ObjectPrototype && !isArgumentsObject(o)) writePlain(o);
    else writeSpecial(o);
    return leave();
  };

  const writeDescriptor = (found) => {
    if (found === undefined) put("null"); // a hole in an array
    else if (hasOwn(found, "value")) write(found.value);
    else putLabel(accessorText(found));
  };

  const writeElement = (array, i) => writeDescriptor(getOwnPropertyDescriptor(array, i));

  const writePlain = (o) => {
    put("{");
    writeProperties(o, 0, undefined);
    put("}");
  };

  const writeSpecial = (o) => {
    if (isArgumentsObject(o)) return writeItems(o, argumentsLength(o), writeElement);
    if (isMap(o)) return writeMap(o);
    if (isSet(o)) return writeSet(o);
    if (isError(o)) return writeError(o);
    if (isView(o)) return isDataView(o) ? writeDataView(o) : writeTypedArray(o);
    if (isArrayBuffer(o)) return writeBuffer(o, "ArrayBuffer", bufferLength(o));
    if (isSharedArrayBuffer(o)) return writeBuffer(o, "SharedArrayBuffer", sharedLength(o));
    if (isPromise(o)) return writePromise(o);
    if (isModuleNamespaceObject(o)) return writeModule(o);
    const box = boxOf(o);
    return box === undefined ? writeInstance(o, className(o)) : writeBoxed(o, box);
  };

  const writeInstance = (o, name) => {
    if (name === "" || name === "Object") return writePlain(o);
    const native = nativeContents[name];
    const content = native === undefined ? undefined : nativeContent(native, o);
    openTagged(o, name);
    if (content === undefined) writeProperties(o, 1, undefined);
    else writeField(native.field, content);
    return put("}");
  };

  const nativeContent = (native, o) => {
    if (!inherits(o, native.prototype)) return undefined; // a class of the program with the same name
    try {
      return native.read(o);
    } catch {
      return undefined; // not made by the constructor
    }
  };

  const openTagged = (o, name) => {
    let tag = "$class";
    while (hasOwn(o, tag)) tag = "$" + tag;
    put("{" + '"' + tag + '":');
    putLabel(name);
  };

  // Fields of our own making, after the class tag; left out when the result is full.
  const startField = (key) => {
    if (room <= 0) {
      cutProperties++;
      return false;
    }
    put(',"' + key + '":');
    place.step = key;
    return true;
  };

  const writeField = (key, v) => {
    if (startField(key)) write(v);
  };

  const writeItemsField = (key, source, count, writeItem) => {
    if (!startField(key)) {
      cutItems += count;
      return;
    }
    place.base = "." + key;
    writeItems(source, count, writeItem);
  };

  // ------------------------------------------------------------------------------------------------ properties

  // Own enumerable properties; `before` counts fields that stand there already, `skip` names some of them.
  const writeProperties = (o, before, skip) => {
    const names = enumerableKeys(o);
    const symbols = getOwnPropertySymbols(o);
    let written = 0;
    let left = 0;
    for (let i = 0; i < names.length; i++) {
      if (skip !== undefined && skip[names[i]] === true) continue;
      if (written >= maxProperties || room <= 0) {
        left = remaining(names, i, skip);
        break;
      }
      if (before + written++ > 0) put(",");
      writeProperty(o, names[i], names[i]);
    }
    for (let i = 0; i < symbols.length; i++) {
      if (!isEnumerable(o, symbols[i])) continue;
      if (left > 0 || written >= maxProperties || room <= 0) {
        left++;
        continue;
      }
      if (before + written++ > 0) put(",");
      writeProperty(o, symbols[i], "[" + symbolText(symbols[i]) + "]");
    }
    if (left > 0) putMoreProperties(left, before + written > 0);
  };

  const remaining = (names, from, skip) => {
    if (skip === undefined) return names.length - from;
    let count = 0;
    for (let i = from; i < names.length; i++) if (skip[names[i]] !== true) count++;
    return count;
  };

  const writeProperty = (o, key, shownKey) => {
    putKey(shownKey);
    place.step = shownKey;
    writeDescriptor(getOwnPropertyDescriptor(o, key));
  };

  // Exports that are still in their dead zone throw when looked at, so Object.keys cannot be used.
  const writeModule = (namespace) => {
    const names = ownKeys(namespace);
    openTagged(namespace, "Module");
    let written = 0;
    for (let i = 0; i < names.length; i++) {
      if (typeof names[i] !== "string") continue;
      if (written >= maxProperties || room <= 0) return closeModule(names.length - i);
      put(",");
      written++;
      writeExport(namespace, names[i]);
    }
    return put("}");
  };

  const closeModule = (left) => {
    putMoreProperties(left - 1, true); // the last own key is always the symbol toStringTag
    put("}");
  };

  const writeExport = (namespace, name) => {
    putKey(name);
    place.step = name;
    let found;
    try {
      found = getOwnPropertyDescriptor(namespace, name);
    } catch {
      return putLabel("[uninitialized]");
    }
    return writeDescriptor(found);
  };

  // ----------------------------------------------------------------------------------------------- collections

  const writeMap = (map) => {
    const size = mapSize(map);
    openTagged(map, className(map) || "Map");
    writeItemsField("entries", mapEntries(map), size, writeEntry);
    put("}");
  };

  const writeEntry = (iterator) => {
    const pair = nextEntry(iterator).value;
    put("[");
    place.tail = "[0]";
    write(pair[0]);
    put(",");
    place.tail = "[1]";
    write(pair[1]);
    put("]");
  };

  const writeSet = (set) => {
    const size = setSize(set);
    openTagged(set, className(set) || "Set");
    writeItemsField("values", setValues(set), size, writeNext);
    put("}");
  };

  const writeNext = (iterator) => write(nextValue(iterator).value);

  const writeIndexed = (typedArray, i) => write(typedArray[i]); // an integer index never leaves a typed array

  const writeTypedArray = (array) => {
    const length = typedArrayLength(array);
    openTagged(array, className(array) || "TypedArray");
    writeField("length", length);
    writeItemsField("values", array, length, writeIndexed);
    put("}");
  };

  const writeBytes = (buffer, offset, length) => {
    writeField("byteLength", length);
    writeItemsField("values", length === 0 ? "" : new ByteArray(buffer, offset, length), length, writeIndexed);
    put("}");
  };

  const writeBuffer = (buffer, kind, length) => {
    openTagged(buffer, className(buffer) || kind);
    writeBytes(buffer, 0, length);
  };

  const writeDataView = (view) => {
    const length = viewLengthOrZero(view);
    openTagged(view, className(view) || "DataView");
    writeBytes(viewBuffer(view), length === 0 ? 0 : viewOffset(view), length);
  };

  const writeBoxed = (o, box) => {
    openTagged(o, className(o) || box.name);
    writeField("value", box.unbox(o));
    put("}");
  };

  const PROMISE_STATES = { __proto__: null, 0: "pending", 1: "fulfilled", 2: "rejected" };

  const writePromise = (promise) => {
    openTagged(promise, className(promise) || "Promise");
    const details = promiseDetails === undefined ? undefined : promiseDetails(promise);
    if (details !== undefined) {
      writeField("state", PROMISE_STATES[details[0]]);
      if (details[0] !== 0) writeField("value", details[1]);
    }
    put("}");
  };

  // ---------------------------------------------------------------------------------------------------- errors

  const ERROR_FIELDS = { __proto__: null, name: true, message: true, stack: true, cause: true, errors: true };

  const writeError = (e) => {
    const name = className(e) || "Error";
    openTagged(e, name);
    writeErrorField(e, "name", name);
    writeErrorField(e, "message", "");
    writeFieldDescriptor("stack", stackOf(e));
    writeFieldDescriptor("cause", getOwnPropertyDescriptor(e, "cause"));
    writeFieldDescriptor("errors", getOwnPropertyDescriptor(e, "errors"));
    writeProperties(e, 1, ERROR_FIELDS);
    put("}");
  };

  const writeErrorField = (e, key, otherwise) => {
    const own = getOwnPropertyDescriptor(e, key);
    if (own !== undefined) return writeFieldDescriptor(key, own);
    const found = inertRead(e, key);
    return writeField(key, found === UNKNOWN ? otherwise : found);
  };

  const writeFieldDescriptor = (key, found) => {
    if (found !== undefined && startField(key)) writeDescriptor(found);
  };

  const headline = (e) => {
    const foundName = inertRead(e, "name");
    const foundMessage = inertRead(e, "message");
    const name = foundName === UNKNOWN || foundName === undefined ? className(e) || "Error" : textOf(foundName);
    const message = foundMessage === UNKNOWN || foundMessage === undefined ? "" : textOf(foundMessage);
    if (name === "") return message;
    return message === "" ? name : name + ": " + message;
  };

  const textOf = (v) => (typeof v === "string" ? v : shortText(v, 1));

  // ------------------------------------------------------------------- one line of text, for proxies and throws

  const SHORT_ITEMS = 10;
  const SHORT_STRING = 200;

  const quoted = (s) => {
    const shown = s.length > SHORT_STRING ? slice(s, 0, SHORT_STRING) + "…" : s;
    const literal = quote(shown);
    const hasQuotes = indexOf(shown, '"') >= 0 || indexOf(shown, "'") >= 0;
    return hasQuotes ? literal : "'" + slice(literal, 1, -1) + "'";
  };

  const shortText = (v, levels) => {
    switch (typeof v) {
      case "string":
        return quoted(v);
      case "symbol":
        return symbolText(v);
      case "bigint":
        return "" + v + "n";
      case "number":
        return v === 0 && 1 / v < 0 ? "-0" : "" + v;
      case "function":
        return isProxy(v) ? proxyText(v, levels) : functionLabel(v);
      case "object":
        return v === null ? "null" : shortObject(v, levels);
      default:
        return "" + v;
    }
  };

  const shortObject = (o, levels) => {
    if (isProxy(o)) return proxyText(o, levels);
    if (isDate(o)) return timeText(o);
    if (isRegExp(o)) return regExpText(o);
    if (isError(o)) return "[" + headline(o) + "]";
    if (isModuleNamespaceObject(o)) return "[Module]";
    if (levels <= 0 || isView(o) || isMap(o) || isSet(o) || boxOf(o) !== undefined) return label(o);
    return isArray(o) ? shortArray(o, levels - 1) : shortProperties(o, levels - 1);
  };

  const shortDescriptor = (found, levels) => {
    if (found === undefined) return "<empty>";
    return hasOwn(found, "value") ? shortText(found.value, levels) : accessorText(found);
  };

  const shortArray = (array, levels) => {
    const length = ownData(array, "length");
    let text = "";
    for (let i = 0; i < length && i < SHORT_ITEMS; i++) {
      text += (i > 0 ? ", " : "") + shortDescriptor(getOwnPropertyDescriptor(array, i), levels);
    }
    if (length > SHORT_ITEMS) text += ", … " + (length - SHORT_ITEMS) + " more items";
    return text === "" ? "[]" : "[ " + text + " ]";
  };

  const shortProperties = (o, levels) => {
    const names = enumerableKeys(o);
    const name = className(o);
    let text = "";
    for (let i = 0; i < names.length && i < SHORT_ITEMS; i++) {
      const key = isIdentifier(names[i]) ? names[i] : quoted(names[i]);
      text += (i > 0 ? ", " : "") + key + ": " + shortDescriptor(getOwnPropertyDescriptor(o, names[i]), levels);
    }
    if (names.length > SHORT_ITEMS) text += ", … " + (names.length - SHORT_ITEMS) + " more properties";
    return (name === "" || name === "Object" ? "" : name + " ") + (text === "" ? "{}" : "{ " + text + " }");
  };

  const proxyText = (proxy, levels) => {
    const details = proxyDetails === undefined || levels <= 0 ? undefined : proxyDetails(proxy, true);
    if (details === undefined) return "[Proxy]";
    if (details[0] === null) return "[Revoked Proxy]";
    return "Proxy [ " + shortText(details[0], levels - 1) + ", " + shortText(details[1], levels - 1) + " ]";
  };

  // --------------------------------------------------------------------------------------------- the three answers

  const count = (name, n, before) => (n > 0 ? (before === "" ? "" : before + ",") + '"' + name + '":' + n : before);

  const envelope = (type) => {
    let cuts = count("depth", cutDepth, "");
    cuts = count("items", cutItems, cuts);
    cuts = count("properties", cutProperties, cuts);
    cuts = count("characters", cutCharacters, cuts);
    return '{"type":"' + type + '","value":' + out + (cuts === "" ? "}" : ',"truncated":{' + cuts + "}}");
  };

  const writeTop = (v) => {
    if (typeof v === "function" && !isProxy(v)) putText(sourceText(v), maxFunctionText);
    else write(v);
  };

  const attempt = (v, levels, countBytes) => {
    reset(levels, countBytes);
    writeTop(v);
    // Characters were counted, which is quicker. Where bytes could make a difference, look again.
    if (!exact && out.length * 3 > maxBytes && utf8Length(out) > maxBytes) return attempt(v, levels, true);
    return envelope(typeof v);
  };

  // Drops what the last call still holds, so that it keeps no object of the program alive.
  const finish = (text) => {
    out = "";
    place = null;
    return text;
  };

  const describe = (v) => {
    try {
      return finish(attempt(v, maxDepth, false));
    } catch {
      // The program's stack is almost full: less depth needs less of it.
    }
    try {
      return finish(attempt(v, 1, false));
    } catch {
      out = "";
      place = null;
      return '{"type":"' + typeof v + '","value":"[Object]","truncated":{"depth":1}}';
    }
  };

  const value = (v) => {
    switch (typeof v) {
      case "number":
        return '{"type":"number","value":' + numberText(v) + "}";
      case "boolean":
        return v ? '{"type":"boolean","value":true}' : '{"type":"boolean","value":false}';
      case "undefined":
        return '{"type":"undefined","value":null}';
      default:
        return describe(v);
    }
  };

  const isErrorValue = (e) => typeof e === "object" && e !== null && !isProxy(e) && isError(e);

  const thrown = (e) => {
    try {
      reset(0, true);
      putString(isErrorValue(e) ? headline(e) : "Uncaught " + shortText(e, 2));
      return finish(envelope("error"));
    } catch {
      return '{"type":"error","value":"Uncaught ' + typeof e + '"}';
    }
  };

  // One line, for a reader: strings as they are.
  const line = (v) => {
    try {
      if (typeof v === "string") return v;
      return isErrorValue(v) ? headline(v) : shortText(v, 2);
    } catch {
      return "[" + typeof v + "]"; // the program's stack is almost full
    }
  };

  return Object.freeze({ __proto__: null, value, thrown, line });
}
