import type { Slip } from './slip.ts';

const streams = ['test/inspector/serve/event-stream.test.ts'];
const files = ['test/inspector/serve/file-inspector.test.ts'];
const live = ['test/inspector/serve/live-inspector.test.ts'];
const inspect = ['test/commands/inspect.test.ts'];

/** Of what serves the inspector: its streams, its turns, what it refuses. */
export const inspectorServeSlips: readonly Slip[] = [
  {
    file: 'src/adapters/http/event-stream.ts',
    find: 'else if (bytes > 0 && bytes + event.length > mostWaiting) {',
    put: 'else if (bytes < 0) {',
    says: 'what waits for a slow reader has no bound',
    tests: streams,
  },
  {
    file: 'src/adapters/http/event-stream.ts',
    find: 'const events = waiting.length + 1;',
    put: 'const events = 1;',
    says: 'a slow reader is told of one missed event where many were dropped',
    tests: streams,
  },
  {
    file: 'src/adapters/http/event-stream.ts',
    find: '  yield heartbeat;\n',
    put: '',
    says: 'a reader to whom nothing is told waits for its headers',
    tests: live,
  },
  {
    file: 'src/inspector/serve/streams.ts',
    find: 'reader.needsBefore = event === undefined || !reader.stream.send(event);',
    put: 'reader.needsBefore = event === undefined || !reader.stream.send(event) && false;',
    says: 'after a gap the next turn does not tell where its machine stood',
    tests: live,
  },
  {
    file: 'src/inspector/serve/find-turns.ts',
    find: 'start === 0 ? head : withBefore(',
    put: 'start >= 0 ? head : withBefore(',
    says: 'a part of the turns begins without the snapshot that a replay needs',
    tests: files,
  },
  {
    file: 'src/inspector/serve/find-turns.ts',
    find: 'Math.max(begin, end - most)',
    put: 'begin',
    says: 'more turns are told than were asked for',
    tests: files,
  },
  {
    file: 'src/inspector/serve/live-history.ts',
    find: '      const blocks = journal\n        .parts()',
    put: '      await pass();\n      const blocks = journal\n        .parts()',
    says: 'turns that come while a reader’s search waits are told twice',
    tests: live,
  },
  {
    file: 'src/inspector/serve/streams.ts',
    find: '    timer ??= pace',
    put: '    timer = pace',
    says: 'each turn is told by itself, however many there are',
    tests: live,
  },
  {
    file: 'src/inspector/serve/streams.ts',
    find: '    unlisten?.();\n    timer?.unsubscribe();',
    put: '    timer?.unsubscribe();',
    says: 'turns are still remembered for readers who have left',
    tests: live,
  },
  {
    file: 'src/inspector/serve/readers.ts',
    find: 'if (count >= mostStreams) {',
    put: 'if (count > 2 * mostStreams) {',
    says: 'any number of streams is opened',
    tests: live,
  },
  {
    file: 'src/inspector/serve/inspector-routes.ts',
    find: "default-src 'none'; script-src 'self'",
    put: "default-src 'none'; script-src 'self' 'unsafe-inline'",
    says: 'a name that is markup may run as a script',
    tests: files,
  },
  {
    file: 'src/inspector/serve/queries.ts',
    find: 'segments.length === 1',
    put: 'segments.length >= 1',
    says: 'a path that names more than a shoot is answered as if it did not',
    tests: files,
  },
  {
    file: 'src/commands/inspect.ts',
    find: 'await Promise.race([reading, end])',
    put: 'await reading',
    says: 'a signal does not end an inspector that still reads',
    tests: inspect,
  },
  {
    file: 'src/inspector/serve/file-history.ts',
    find: 'subjectOfLine(text) === turn.subject ? text : JSON.stringify(turn)',
    put: 'text',
    says: 'a line in another order than ours is kept, and no part of the night is found by its time',
    tests: files,
  },
  {
    file: 'src/commands/role/observe-role.ts',
    find: '...(inspected && { inspector: history.observe }),',
    put: 'inspector: history.observe,',
    says: 'an inspector that is turned off goes on remembering',
    tests: ['test/observers/observe-role.test.ts'],
  },
  {
    file: 'src/commands/role/run-role.ts',
    find: 'inspected: flags.inspectorAddress !== undefined,',
    put: 'inspected: flags.inspectorAddress === undefined,',
    says: 'a running prober tells its inspector nothing',
    tests: ['test/process/outage.test.ts'],
  },
];
