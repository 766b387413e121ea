import http from 'node:http';
import type { Plugin } from 'rolldown';

const id = '\0lean:node:http';

/** client-node has the older name. */
const names = new Set(['node:http', 'http']);

/**
 * Gives the program the `http` of Node without its browser's half. An `import` of `node:http` asks for everything that is exported, so also
 * for `WebSocket`, which loads the whole client behind `fetch`: 35 ms of CPU at the start and 2 MiB for good, for what nobody here uses. `require` leaves out what is not asked for.
 */
export const leanHttp: Plugin = {
  name: 'lean-http',
  resolveId: (source, _importer, { kind }) => (names.has(source) && kind === 'import-statement' ? id : null),
  load: (wanted) => (wanted === id ? text() : null),
};

function text(): string {
  // What is loaded only when it is asked for stands behind a getter.
  const plain = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, one]) => 'value' in one);
  return [
    "const http = process.getBuiltinModule('node:http');",
    'export default http;',
    ...plain.map(([name]) => `export const ${name} = /* @__PURE__ */ (() => http.${name})();`),
  ].join('\n');
}
