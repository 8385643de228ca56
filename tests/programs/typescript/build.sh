#!/bin/sh
# Compiles src again, in every way that the tests of source maps need: sh build.sh, with npx (typescript, esbuild).
set -eu
cd "$(dirname "$0")"
rm -rf commonjs inline esm bundle.js bundle.js.map
tsc() { npx --yes --package typescript@5.9.3 tsc --target es2022 --skipLibCheck "$@" src/main.ts src/alone.ts src/globals.d.ts; }
tsc --module commonjs --moduleResolution node10 --sourceMap --outDir commonjs
tsc --module commonjs --moduleResolution node10 --inlineSourceMap --outDir inline
tsc --module es2022 --moduleResolution bundler --sourceMap --outDir esm
echo '{ "type": "module" }' > esm/package.json
npx --yes esbuild@0.28.2 src/main.ts --bundle --platform=node --minify-whitespace --sourcemap --outfile=bundle.js
