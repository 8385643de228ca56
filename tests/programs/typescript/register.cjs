// Compiles .ts files in memory, as tsx, ts-node and Babel do: text with an inline map, under the file's own name.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

Module._extensions['.ts'] = (module, file) => {
  const compiled = path.join(__dirname, 'inline', path.basename(file).replace(/ts$/, 'js'));
  module._compile(fs.readFileSync(compiled, 'utf8'), file);
};
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => resolve(request.replace(/^(\.\/.*)\.js$/, '$1.ts'), ...rest);
