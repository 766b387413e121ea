import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { happen, otherHands, pathFaults } from '@dwd/testing/histories.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { journalDriver, replay } from '@dwd/testing/journal-driver.ts';

const keys = twoPathConfig.dependants.map(({ key }) => key);
const runs = Number(process.env['HISTORIES'] ?? 15);

test('L3 9.6 4.9 whatever befell two paths, its journal is replayed to the same states, commands and notes', async () => {
  const history = fc.array(fc.oneof({ weight: 5, arbitrary: pathFaults }, otherHands), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(history, async (happenings) => {
      // Each process has a journal of its own.
      const begun = [journalDriver()];
      const guarded = new GuardedWorld(twoPathConfig, 5, { onTurn: (turn) => begun.at(-1)!.journal.observe(turn) });
      const crash = async () => {
        guarded.stop();
        await begun.at(-1)!.journal.close();
        begun.push(journalDriver());
        guarded.start(false);
      };
      await guarded.pass(60_000);
      for (const one of happenings) await (one.do === 'crash' ? crash() : happen(guarded, one, keys));
      guarded.world.loadBalancer = 'down';
      await guarded.pass(60_000);
      guarded.stop();
      for (const { journal, files } of begun) {
        await journal.close();
        const { code, out } = await replay(files());
        expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('DIFFERENT') });
      }
    }),
    { numRuns: runs },
  );
});

test('L3 9.6 4.9 a machine that would count otherwise than the one that was recorded is told', async () => {
  const { journal, files } = journalDriver();
  // Each machine believes that two failures are enough; the journal says three.
  const guarded = new GuardedWorld({ ...twoPathConfig, failureThreshold: 2 }, 5, {
    onTurn: ({ event, ...turn }) => {
      const config = twoPathConfig;
      journal.observe({
        ...turn,
        event: event.type === 'started' ? { ...event, input: { ...event.input, config } } : event,
      });
    },
  });
  await guarded.pass(60_000);
  guarded.world.loadBalancer = 'down';
  await guarded.pass(60_000);
  guarded.stop();
  await journal.close();
  const { code, out } = await replay(files());
  expect(code).toBe(1);
  expect(out).toContain('DIFFERENT');
});
