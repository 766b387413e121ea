import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { configurationPage } from '../../hack/docs/configuration-page.ts';
import { writtenKeys } from '../../hack/docs/written-keys.ts';
import { commandWords } from '../../src/commands/usage.ts';
import { durationFrom0, wholeNumber } from '../../src/domain/config/config-fields.ts';
import { writtenProberConfig } from '../../src/domain/config/written-prober-config.ts';

describe('the keys of a configuration', () => {
  test('come with their type, default, bounds and meaning, parents first', () => {
    const step = z.strictObject({
      after: durationFrom0.prefault('0s').describe('How long it waits.'),
      level: wholeNumber(0).describe('Its level.'),
      mode: z.enum(['up', 'down']).optional().describe('Which way.'),
      old: z.unknown().optional().meta({ deprecated: true, description: 'Nothing.' }),
    });
    const written = z.strictObject({
      steps: z.array(step).min(1).describe('What is done.'),
      part: z.number().gt(0).lte(1).prefault(0.5).describe('How much.'),
    });
    expect(writtenKeys(written).map((key) => Object.values(key).join(' | '))).toEqual([
      'steps | list of mappings | required | at least 1 | What is done.',
      'steps[].after | duration | 0s | 0 or more | How long it waits.',
      'steps[].level | whole number | required | at least 0 | Its level.',
      'steps[].mode | one word |  | `up`, `down` | Which way.',
      'steps[].old | anything |  |  | Nothing. Deprecated.',
      'part | number | 0.5 | above 0, at most 1 | How much.',
    ]);
  });

  test('keys that stand in for one another say so', () => {
    const name = z.string().optional().describe('A name.');
    // oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema
    const written = z
      .strictObject({ one: name, other: name, third: name })
      .meta({ if: { required: ['one'] }, then: { required: ['one'] }, else: { required: ['other'] } });
    // oxlint-enable unicorn/no-thenable
    expect(writtenKeys(written).map(({ default: standard }) => standard)).toEqual([
      'one or the other',
      'one or the other',
      '',
    ]);
  });

  test('a key that says nothing is refused', () => {
    expect(() => writtenKeys(z.strictObject({ a: z.strictObject({ b: z.string() }).describe('A.') }))).toThrow(
      'a.b has no description',
    );
  });

  test('the prober’s are there', () => {
    const paths = writtenKeys(writtenProberConfig).map(({ path }) => path);
    expect(paths).toContain('dependentResourceInfos[].scaleUp.initialDelay');
    expect(paths).toContain('kcmNodeMonitorGraceDuration');
  });
});

test('the page is what the program says today, with the help of each command', async () => {
  const page = await configurationPage();
  expect(readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')).toBe(page);
  for (const command of Object.keys(commandWords)) expect(page).toContain(`Usage: dependency-watchdog ${command}`);
});
