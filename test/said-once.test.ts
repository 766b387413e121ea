import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSource, readSources, type Source } from '../hack/source.ts';
import { secondWordings } from '../hack/tidy/said-once.ts';

const root = join(import.meta.dirname, '..');
const isTold = ({ path }: Source) => !/(?:^|\/)(?:test|contract)\//.test(path);

test('each fact is put into words in one room', () => {
  const sources = ['src', 'packages/inspector', 'packages/simulator'].flatMap((folder) => readSources(root, folder));
  expect(sources.length).toBeGreaterThan(500);
  expect(secondWordings(root, sources.filter(isTold))).toEqual([]);
});

const path = 'src/adapters/record/log/log.ts';

const second = `
import type { LeaseCount, ShootCommands, VerdictNote } from '../../../machines/shoot-language.ts';
import type { WeederCommands } from '../../../machines/weeder-language.ts';
import type { ProbeFailure } from '../../../domain/prober/probe-failure.ts';
import type { StandingState } from '../../../domain/prober/standing.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import { counted } from '../../words/plain-words.ts';
import { expiredWords } from '../words/probe-words.ts';
export const whole = (note: VerdictNote) => (note.external === undefined ? \`\${note.expired} are old\` : '');
export const taken = ({ expired: old }: Readonly<LeaseCount>) => \`\${old} are old\`;
export const inTurn = ({ notes }: ShootTurn) =>
  notes.map((one) => (one.kind === 'verdict' && one.external !== undefined ? \`\${one.external.count} times\` : ''));
export const count = ({ candidates }: LeaseCount) => \`of \${counted(candidates, 'lease')}\`;
export const added = ({ candidates }: LeaseCount) => 'of ' + candidates;
export const failed = ({ detail }: ProbeFailure) => \`no: \${detail}\`;
export const waits = ({ asked: { waits: { containers } } }: { asked: WeederCommands['deletePod'] }) => \`\${containers.join(', ') || 'one'} waits\`;
export const written = ({ change }: ShootCommands['scale']) => \`to \${change.replicas}\`;
export const named = (leases: LeaseCount) => {
  const old = leases.expired;
  return \`\${old} are old\`;
};
export const orNone = ({ change, seen }: ShootCommands['scale']) => \`to \${change.replicas ?? seen.replicas}\`;
export const orOther = ({ change }: ShootCommands['scale']) => {
  const to = change.record ?? 1;
  return counted(to, 'replica');
};
export const stands: Partial<Readonly<Record<StandingState, string>>> = { cutOff: 'away' };
`;

/** What looks like it, and is none: another fact's field of the same name, a figure that is reckoned with, and the words themselves. */
const fine = `
export const other = ({ detail, expired }: Readonly<{ detail: string; expired: number }>) => \`\${detail} \${expired}\`;
export const reckoned = ({ expired, candidates }: LeaseCount) => \`\${Math.round(expired / candidates)}\`;
export const worded = (leases: LeaseCount) => expiredWords.phrase(leases);
`;

test('a second wording is caught by the type of what it words, whatever it says', () => {
  const own = readFileSync(join(root, path), 'utf8');
  const text = own + second + fine;
  const found = secondWordings(root, [parseSource(path, text)], { [path]: text });
  const first = own.split('\n').length + 7;
  expect(found.map((line) => line.replace(path, ''))).toEqual([
    `:${first + 1} words a verdict: let record/words do it`,
    `:${first + 2} words a verdict: let record/words do it`,
    `:${first + 4} words a verdict: let record/words do it`,
    `:${first + 5} words a verdict: let record/words do it`,
    `:${first + 6} words a verdict: let record/words do it`,
    `:${first + 7} words a failure of a probe: let record/words do it`,
    `:${first + 8} words what a pod waits for: let record/words do it`,
    `:${first + 9} words a write: let record/words do it`,
    `:${first + 12} words a verdict: let record/words do it`,
    `:${first + 14} words a write: let record/words do it`,
    `:${first + 19} has words of its own for each kind of a fact`,
  ]);
});
