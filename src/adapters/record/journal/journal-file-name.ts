import type { Instant } from '../../../domain/time.ts';
import { instantText } from '../../words/plain-words.ts';

/** What a file's name tells. `number` gives the order in which a role's files were begun; `at` is what the clock said then, right or wrong. */
export type JournalFileName = Readonly<{ role: string; number: number; at: Instant }>;

const form = /^dwd-(?<role>.+)-(?<number>\d{8,11})-(?<stamp>\d{8}T\d{9}Z)\.jsonl$/;
const stampParts = /^(....)(..)(..)T(..)(..)(..)(...)Z$/;

export function journalFileName({ role, number, at }: JournalFileName): string {
  return `dwd-${role}-${String(number).padStart(8, '0')}-${instantText(at).replace(/[-:.]/g, '')}.jsonl`;
}

/** Undefined for a name that no journal gives. */
export function readJournalFileName(name: string): JournalFileName | undefined {
  const { role, number, stamp } = form.exec(name)?.groups ?? {};
  if (role === undefined || stamp === undefined) return undefined;
  const at = Date.parse(stamp.replace(stampParts, '$1-$2-$3T$4:$5:$6.$7Z'));
  return Number.isNaN(at) ? undefined : { role, number: Number(number), at };
}
