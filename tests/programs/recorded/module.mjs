import { basename } from 'node:path';

export async function name(path) {
  const short = basename(path);
  await null;
  return short; // @bp short
}

for (const path of ['/a/one.txt', '/b/two.txt']) {
  console.log(await name(path));
}
