import http from 'node:http';
import type { Plugin } from 'rolldown';

const httpId = '\0lean:node:http';

/** client-node has the older name. */
const httpNames = new Set(['node:http', 'http']);

/**
 * Gives the program the `http` of Node without its browser's half. An `import` of `node:http` asks for everything that is exported, so also
 * for `WebSocket`, which loads the whole client behind `fetch`: 35 ms of CPU at the start and 2 MiB for good, for what nobody here uses. `require` leaves out what is not asked for.
 */
export const leanHttp: Plugin = {
  name: 'lean-http',
  resolveId: (source, _importer, { kind }) => (httpNames.has(source) && kind === 'import-statement' ? httpId : null),
  load: (wanted) => (wanted === httpId ? leanText() : null),
};

function leanText(): string {
  // What is loaded only when it is asked for stands behind a getter.
  const plain = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, one]) => 'value' in one);
  return [
    "const http = process.getBuiltinModule('node:http');",
    'export default http;',
    ...plain.map(([name]) => `export const ${name} = /* @__PURE__ */ (() => http.${name})();`),
  ].join('\n');
}

/** What its files import, by name, for connections that nobody here makes by it, and for files that we read ourselves. */
const unused: Readonly<Record<string, readonly string[]>> = {
  undici: ['Agent', 'ProxyAgent', 'fetch'],
  'socks-proxy-agent': ['SocksProxyAgent'],
  socks: ['SocksClient'],
  hpagent: ['HttpProxyAgent', 'HttpsProxyAgent'],
  'js-yaml': ['load', 'loadAll', 'dump'],
};

/** What undici never reaches here: our connections are told `allowH2: false`, and our bodies are texts. HTTP/2 alone loads 1 MiB of Node. */
const unreached = /\/undici\/lib\/(?:dispatcher\/client-h2|web\/fetch\/(?:body|formdata)|web\/webidl\/index)\.js$/;

export const leanUndici: Plugin = {
  name: 'lean-undici',
  load: (id) =>
    unreached.test(id)
      ? {
          code: `module.exports = function leftOut() { throw new Error('not in the bundle (hack/build/lean-imports.ts)'); };`,
        }
      : null,
};

const prefix = '\0lean:client-node:';

/**
 * Leaves out what client-node's `KubeConfig` needs only where it connects, or reads a file, itself: we take credentials from it, and no
 * more (docs/decisions/0017). It is all of undici beside the part that we use, and proxies: 350 KB of code, loaded with every kubeconfig.
 * What is left out says so if it is ever called.
 */
export const leanClientNode: Plugin = {
  name: 'lean-client-node',
  resolveId: (source, importer) =>
    Object.hasOwn(unused, source) && importer?.includes('/@kubernetes/client-node/dist/') === true
      ? prefix + source
      : null,
  load: (id) => (id.startsWith(prefix) ? leftOutText(id.slice(prefix.length)) : null),
};

function leftOutText(name: string): string {
  const names = unused[name] ?? [];
  return [
    `function leftOut() { throw new Error('${name} is not in the bundle: client-node gives credentials only (hack/build/lean-imports.ts)'); }`,
    ...names.map((each) => `export const ${each} = leftOut;`),
  ].join('\n');
}
