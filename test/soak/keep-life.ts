import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrokenLaw } from './law.ts';
import { laws } from './laws.ts';
import { live } from './life.ts';
import type { SeedPlan } from './seed-plan.ts';
import { sentenceOf } from './told.ts';

/** Lives a plan once more, and keeps its plan, its story, and the journals of all its processes, in a directory that `inspect` and `replay` open. */
export async function keepLife(plan: SeedPlan, dir: string): Promise<BrokenLaw | undefined> {
  const sentences: string[] = [];
  mkdirSync(join(dir, 'journals'), { recursive: true });
  const { broken } = await live(plan, {
    laws,
    observe(seen) {
      const sentence = sentenceOf(seen);
      if (sentence !== undefined) sentences.push(sentence);
    },
    atEnd(scene) {
      for (const process of scene.processes())
        writeFileSync(
          join(dir, 'journals', `dwd-${process.name.replace('#', '-')}.jsonl`),
          Buffer.concat([...process.journal()]),
        );
    },
    keepsProcesses: true,
  });
  if (broken !== undefined) sentences.push(`\nbroken: ${broken.law}\n${broken.why}`);
  writeFileSync(join(dir, 'story.txt'), `${sentences.join('\n')}\n`);
  writeFileSync(join(dir, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`);
  return broken;
}
