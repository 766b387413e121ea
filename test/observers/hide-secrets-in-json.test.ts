import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLog } from '../../src/adapters/record/log/log.ts';
import { hideSecretsInJson } from '../../src/adapters/words/secrets.ts';
import { journalDriver, linesOf, recordedFile, replay } from '@dwd/testing/journal-driver.ts';
import { leaseNamed } from '@dwd/testing/recorded-nights.ts';

/** Texts that must not come out, whatever stands around them; each is part of a credential below. */
const secrets = ['c2VjcmV0LXBheWxvYWQ', 'MIIEowIBAAKCAQEA7', 'TUlJRW93SUJBQUs', 'abcdefghijklmnop', 'hunter2secret'];

const credentials = [
  'eyJhbGciOiJSUzI1NiJ9.c2VjcmV0LXBheWxvYWQ.c2lnbmF0dXJl',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7"\\\n-----END RSA PRIVATE KEY-----',
  'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpTUlJRW93SUJBQUsTUlJRW93SUJBQUs=',
  ' Authorization: Bearer abcdefghijklmnop',
  ' https://admin:"\\hunter2secret@host/',
];

/** Characters that end a text of JSON early, or swallow its end, if somebody takes them for more than a character. */
const snares = [
  '"',
  '\\',
  '\\"',
  '\n',
  '\u2028',
  '\ud800',
  '\udc00',
  '\u0000',
  '}',
  'eyJ',
  'n',
  ' ',
  '日',
  '__proto__',
];
const heads = ['-----BEGIN A-----', '-----END A-----', '-----BEGIN', 'https://', 'bearer ', 'LS0tLS1CRUdJTi'];

const text = fc
  .array(fc.constantFrom(...snares, ...heads, ...credentials), { maxLength: 8 })
  .map((pieces) => pieces.join(''));
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.constantFrom(null, true, 1.5, -1e21),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
})).any;

/** Every text in a plain value, names of fields included. */
function textsOf(plain: unknown): readonly string[] {
  if (typeof plain === 'string') return [plain];
  if (typeof plain !== 'object' || plain === null) return [];
  return Object.entries(plain).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
}

function leaksOf(json: string): readonly string[] {
  return textsOf(JSON.parse(json)).filter((each) => secrets.some((secret) => each.includes(secret)));
}

test('9.4 4.7 whatever stands in a value, its JSON can be parsed and holds no secret', () => {
  fc.assert(
    fc.property(value, (any) => {
      expect(leaksOf(hideSecretsInJson(JSON.stringify(any)))).toEqual([]);
    }),
    { numRuns: 2_000, seed: 9_004 },
  );
});

test('9.4 what has nothing to hide comes out letter by letter', () => {
  const plain = JSON.stringify({ a: ['x"\\\n', 1e21, -0, null], basic: 'shoot--basic--bearer', __proto: {} });
  expect(hideSecretsInJson(plain)).toBe(plain);
});

test.each([
  ['{"a":"line\\neyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJr.c2lnbmF0"}', '{"a":"line\\n[hidden]"}'],
  ['{"a":"-----BEGIN CERTIFICATE-----\\nMIIB","b":1}', '{"a":"[hidden]","b":1}'],
  ['{"a":"-----BEGIN A-----x\\"y","b":1}', '{"a":"[hidden]","b":1}'],
  ['{"__proto__":"https://a:b@c","1":2}', '{"1":2,"__proto__":"https://[hidden]@c"}'],
])('9.4 hidden within values: %s', (json, hidden) => {
  expect(hideSecretsInJson(json)).toBe(hidden);
});

test('9.4 4.7 a line of the log can be parsed and holds no secret, whatever its fields are', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', clock: { now: () => 0 }, write: (line) => lines.push(line) });
  fc.assert(
    fc.property(text, value, fc.dictionary(text, value, { maxKeys: 3 }), (message, any, more) => {
      lines.length = 0;
      log.info(message, { ...more, any, error: new Error(message) });
      expect(lines).toHaveLength(1);
      expect(lines[0]!.indexOf('\n')).toBe(lines[0]!.length - 1);
      expect(leaksOf(lines[0]!)).toEqual([]);
    }),
    { numRuns: 500, seed: 9_004 },
  );
});

test.each(['-----BEGIN A-----x"y', ...credentials])(
  '9.4 9.6 L3 a lease whose name is %j leaves a journal that can be read and comes out as recorded',
  async (name) => {
    const file = await recordedFile(await leaseNamed(name));
    for (const line of linesOf(file)) expect(leaksOf(line)).toEqual([]);
    const { code, out, err } = await replay([file]);
    expect(err).toBe('');
    expect(out).toContain('Every event that was replayed came out as recorded.');
    expect(code).toBe(0);
  },
);

test('9.4 9.6 the header of a journal holds no secret either', async () => {
  const { journal, files } = journalDriver({
    program: { role: 'prober', version: '1', processId: 7, configuration: { credentials } },
  });
  await journal.close();
  const memory = journalDriver({
    memoryOnly: true,
    program: { role: 'prober', version: '1', processId: 7, configuration: { credentials } },
  }).journal;
  expect(files()).toEqual([]);
  expect(leaksOf([...memory.chapters()].join(''))).toEqual([]);
});
