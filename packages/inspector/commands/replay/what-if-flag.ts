import { nearest } from 'dependency-watchdog/domain/nearest.ts';
import type { ImaginedConfig } from '../../model/questions/what-if-changes.ts';
import { configKeys, readForm } from '../../model/questions/what-if-form.ts';
import type { Flag } from 'dependency-watchdog/commands/flag.ts';
import type { ValueReading } from 'dependency-watchdog/commands/go-values.ts';

/** `changes`: the values of the configuration that are imagined otherwise. `written`: as they were given. */
export type WhatIfQuestion = Readonly<{ changes: Readonly<Partial<ImaginedConfig>>; written: readonly string[] }>;

/** `nodeLeaseFailureFraction=0.7`; given again, both count, and of one key the last one. */
export function whatIfFlag({ help }: Readonly<{ help: string }>): Flag<WhatIfQuestion | undefined> {
  return {
    read: readWhatIf,
    initial: undefined,
    help,
    placeholder: 'KEY=VALUE',
    join: (before, after) => ({
      changes: { ...before?.changes, ...after?.changes },
      written: [
        ...(before?.written.filter((one) => !sameKey(one, after?.written[0])) ?? []),
        ...(after?.written ?? []),
      ],
    }),
  };
}

function sameKey(one: string, other = ''): boolean {
  return one.split('=', 1)[0] === other.split('=', 1)[0];
}

const because = `must be KEY=VALUE, such as nodeLeaseFailureFraction=0.7, and KEY one of ${configKeys.join(', ')}`;

function readWhatIf(text: string): ValueReading<WhatIfQuestion> {
  const [, key = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text.trim()) ?? [];
  if (!configKeys.some((one) => one === key)) {
    const meant = nearest(key || text.trim(), configKeys);
    if (key === '' && meant !== undefined) return { ok: false, because, hint: `write ${meant}=VALUE` };
    return { ok: false, because, ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }) };
  }
  const read = readForm({ [key]: value.trim() });
  if (!read.ok)
    return {
      ok: false,
      because: `cannot be understood: ${read.refused.map(({ sentence }) => sentence.replace(/\.$/, '')).join(' ')}`,
    };
  const { config } = read.changes;
  if (config === undefined) return { ok: false, because, hint: 'the value is missing' };
  return { ok: true, value: { changes: config, written: [`${key}=${value.trim()}`] } };
}
