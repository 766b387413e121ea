import type { Slip } from './slip.ts';

const chart: readonly string[] = ['test/inspector/chart.test.ts'];
const words: readonly string[] = ['test/inspector/chart-words.test.ts'];
const feed: readonly string[] = ['test/inspector/stately-feed.test.ts'];
const door: readonly string[] = ['test/inspector/stately-door.test.ts'];
const messages: readonly string[] = ['test/inspector/stately-messages.test.ts'];
const files: readonly string[] = ['test/inspector/stately-files.test.ts'];

/** The drawn charts, and what is told to Stately's inspector. */
export const inspectorChartSlips: readonly Slip[] = [
  {
    file: 'src/inspector/model/charts/chart-model.ts',
    find: '[...Object.entries(node.on ?? {}), ...always]',
    put: '[...always, ...Object.entries(node.on ?? {})].slice(always.length)',
    says: 'what is taken always is not drawn',
    tests: chart,
  },
  {
    file: 'src/inspector/model/charts/chart-model.ts',
    find: '    ...transitionsOf(node, name, null),\n',
    put: '',
    says: 'what a region listens for is not drawn',
    tests: chart,
  },
  {
    file: 'hack/docs/lay-out-chart.ts',
    find: 'path: isOfAnyState(arrows) ? path.toReversed() : path',
    put: 'path',
    says: 'the arrow of any state points the other way',
    tests: chart,
  },
  {
    file: 'src/inspector/model/charts/lit-chart.ts',
    find: '`${state} ${event} ${index}`',
    put: '`${state} ${event}`',
    says: 'of several transitions for one event, the first is lit',
    tests: words,
  },
  {
    file: 'src/inspector/model/charts/drawn-chart.ts',
    find: 'return row.length > longestRow ? words : [row];',
    put: 'return [row];',
    says: 'long labels make the chart too wide to be read',
    tests: words,
  },
  {
    file: 'src/inspector/serve/stately-feed.ts',
    find: '!follows(following, session) || following.known.has(session)',
    put: '!follows(following, session) || !following.known.has(session)',
    says: 'who comes late is not told which machines there are',
    tests: feed,
  },
  {
    file: 'src/inspector/serve/stately-feed.ts',
    find: "if (event.type === 'ended') latest.delete(session);\n      else latest.set",
    put: 'latest.set',
    says: 'machines that are no more are told for ever, and kept',
    tests: feed,
  },
  {
    file: 'src/inspector/serve/stately-feed.ts',
    find: 'before ?? after }',
    put: 'after }',
    says: 'a machine is made known with where the turn led, before the turn',
    tests: feed,
  },
  {
    file: 'src/inspector/serve/stately-door.ts',
    find: "if (socket.bufferedAmount + Buffer.byteLength(text) > mostWaiting) return cut('tooSlow');",
    put: '',
    says: 'a reader who does not read fills the memory',
    tests: feed,
  },
  {
    file: 'src/inspector/serve/stately-door.ts',
    find: 'return from.host === host || isLoopback(from.hostname);',
    put: 'return from.host === host || isLoopback(from.hostname) || isIP(from.hostname) === 4;',
    says: 'a page from elsewhere that has a bare address may read',
    tests: door,
  },
  {
    file: 'src/inspector/serve/stately-door.ts',
    find: "socket.on('close', () => (readers -= 1));",
    put: '',
    says: 'after eight readers nobody is let in any more',
    tests: door,
  },
  {
    file: 'src/inspector/serve/stately-door.ts',
    find: "socket.on('message', () => cut('spoke'));",
    put: '',
    says: 'a reader may talk without end',
    tests: door,
  },
  {
    file: 'src/adapters/http/upgrades.ts',
    find: 'for (const socket of sockets) socket.destroy();',
    put: '',
    says: 'a reader of WebSocket keeps the process from ending',
    tests: door,
  },
  {
    file: 'src/adapters/http/http-server.ts',
    find: 'Object.hasOwn(upgrades, pathOf(url))',
    put: "pathOf(url) !== ''",
    says: 'whoever asks for another protocol in passing gets no page',
    tests: door,
  },
  {
    file: 'src/inspector/serve/stately-messages.ts',
    find: 'const told = fits(context) ? context : { leftOut: tooLong };',
    put: 'const told = context;',
    says: 'a message to Stately may be of any length',
    tests: messages,
  },
  {
    file: 'src/inspector/serve/stately-messages.ts',
    find: 'return hideSecretsInJson(JSON.stringify(all));',
    put: 'return JSON.stringify(all);',
    says: 'a credential in an error of a server goes to Stately',
    tests: messages,
  },
  {
    file: 'src/inspector/serve/stately-feed.ts',
    find: 'before ?? after)',
    put: 'after)',
    says: 'recorded turns begin with where the first one led',
    tests: files,
  },
];
