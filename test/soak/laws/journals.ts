import { readJournal } from '../../../src/adapters/journal/read-journal.ts';
import type { Instant } from '../../../src/domain/time.ts';
import type { Law } from '../law.ts';
import type { Scene } from '../scene.ts';
import type { Slot } from '../slot.ts';

/** What was told at the last moment may still be on its way to the disk. */
const onItsWay = 1_000;

/** `losing`: its disk took nothing for a while, and what was not counted then is gone with the process. */
type Run = { readonly at: Instant[]; ended: boolean; losing: boolean };

/** A process that ends waits a second for its disk, and what that has not taken by then is lost. */
const losing = new Set([
  'disk slow',
  'disk full',
  'disk failing',
  'disk read-only',
  'disk hung',
  'no descriptors',
  'journals deleted',
]);

/** What is on a disk can be read to its end, and it is every turn that was taken, but for those of which the process has counted that they are not there. */
export const journals: Law = {
  name: '9.6 the journal on the disk has every turn, or counts it as lost',
  begin(scene) {
    const runs: Run[] = [];
    const runOf = new Map<string, Run>();
    const ailing = new Set<unknown>();
    const emptied = new Set<unknown>();
    let judged = 0;

    const wrongIn = async (slot: Slot): Promise<string | undefined> => {
      const present = slot.process && runOf.get(slot.process.name);
      // One that writes nothing at all has a journal, too.
      const kept = new Map<Run, number>(present === undefined ? [] : [[present, 0]]);
      for (const [path, bytes] of slot.disk.contents()) {
        let run: Run | undefined;
        for await (const entry of readJournal({ name: path, bytes: inOnePiece(bytes) })) {
          if (entry.kind === 'header') run = runs[Number(entry.header.run.split('-').at(-1)) - 1];
          if (entry.kind === 'turn' && run !== undefined) kept.set(run, (kept.get(run) ?? 0) + 1);
          if (entry.kind === 'damaged') return `${path} of ${slot.name}, line ${entry.line}: ${entry.problem}`;
        }
      }
      for (const [run, turns] of kept) {
        const dropped = run === present ? await droppedBy(slot) : 0;
        if (dropped === undefined) continue;
        const { length } = run.at;
        const due = run.at.filter((at) => at < scene.now() - onItsWay).length;
        if (turns + dropped > length)
          return `${slot.name} has taken ${length} turns; its journal has ${turns}, and ${dropped} are counted as lost`;
        // Of a process that crashed nobody counts what was lost; files that were deleted had turns that were not.
        const isWhole = run === present ? !emptied.has(slot.name) : run.ended && !run.losing;
        if (!isWhole) continue;
        judged += 1;
        if (turns + dropped < due)
          return `${slot.name} took ${due} turns; its journal has ${turns}, and only ${dropped} are counted as lost`;
      }
      return undefined;
    };

    return {
      hear(observation) {
        if (!scene.plan.journals) return undefined;
        if (observation.kind === 'turn') runOf.get(observation.process)?.at.push(observation.at);
        if (observation.kind === 'process') {
          const run = runOf.get(observation.process);
          if (observation.did === 'ended' && run !== undefined) run.ended = true;
          if (observation.did === 'started') {
            const begun: Run = { at: [], ended: false, losing: ailing.has(observation.slot) };
            runs.push(begun);
            runOf.set(observation.process, begun);
          }
        }
        if (observation.kind === 'happening') {
          const { kind, of } = observation.happening;
          if (kind === 'disk well' || kind === 'host well') ailing.delete(of?.['slot']);
          if (!losing.has(kind)) return undefined;
          if (kind === 'journals deleted') emptied.add(of?.['slot']);
          else ailing.add(of?.['slot']);
          const present = scene.slots.find(({ name }) => name === of?.['slot'])?.process;
          const run = present && runOf.get(present.name);
          if (run !== undefined) run.losing = true;
        }
        return undefined;
      },
      quiet: () => (scene.plan.journals ? firstOf(scene, wrongIn) : undefined),
      counts: () => ({ 'journals read from their disks': judged }),
    };
  },
};

async function firstOf(
  scene: Scene,
  wrongIn: (slot: Slot) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const slot of scene.slots) {
    const wrong = await wrongIn(slot);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Turns that the process has counted as not on its disk; undefined where some are not in its memory either, which count twice. */
async function droppedBy({ process }: Slot): Promise<number | undefined> {
  const text = (await process?.metrics()) ?? '';
  const count = (reason: string): number =>
    Number(new RegExp(`^dwd_journal_dropped_turns_total\\{reason="${reason}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  if (count('turnBytes') + count('shootShare') > 0) return undefined;
  return count('writeFailed') + count('backlogBytes');
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
