import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import { tell } from './happenings.ts';
import type { BrokenLaw } from './law.ts';
import { laws } from './laws.ts';
import { live } from './life.ts';
import type { Observation } from './observation.ts';
import type { SeedPlan } from './seed-plan.ts';

/** One sentence for what a reader of a story needs; undefined for the rest. Times are of the simulated day. */
export function sentenceOf(seen: Observation): string | undefined {
  const said = wordsOf(seen);
  return said === undefined ? undefined : `${instantText(seen.at).slice(11, 23)}  ${said}`;
}

function wordsOf(seen: Observation): string | undefined {
  switch (seen.kind) {
    case 'happening':
      return `* ${tell(seen.happening)}`;
    case 'process':
      return `${seen.process} ${deeds[seen.did]}${seen.why === undefined ? '' : `: ${seen.why}`}`;
    case 'blow': {
      const { when, request, to } = seen.moment;
      return `${seen.process} ${seen.did} ${moments[when]} ${request.method} ${request.url} (${to ?? 'the seed'})`;
    }
    case 'turn': {
      const { from, to, subject } = seen.turn;
      return from === to ? undefined : `${seen.process}: ${subject} is ${to}, was ${from ?? 'unknown'}`;
    }
    case 'change': {
      const { change, of } = seen;
      if (of.scale === undefined || change.previous === undefined) return undefined;
      const [before, after] = [change.previous, change.revision].map(
        ({ object }) => workloadNumbers(of, object).desired,
      );
      if (before === after && change.type !== 'DELETED') return undefined;
      const who = change.writer?.user ?? 'another hand';
      return change.type === 'DELETED'
        ? `${who} deleted ${change.revision.key}`
        : `${who} scaled ${change.revision.key} from ${before} to ${after}`;
    }
    case 'replaced':
      return `! the Machine of ${seen.node} of ${seen.shoot} was replaced`;
    case 'marked':
      return `! ${seen.node} of ${seen.shoot} was marked Unknown`;
    case 'calm':
      return '* the weather ended: from here on nothing fails';
    case 'bug':
      return `! a bug: ${seen.error}`;
    case 'request':
    case 'throttled':
    case 'fault':
      return undefined;
    default:
      return seen satisfies never;
  }
}

const deeds = {
  started: 'started',
  crashed: 'was killed',
  paused: 'stood still',
  resumed: 'went on',
  'told to end': 'got SIGTERM',
  ended: 'ended',
} as const;

const moments = {
  before: 'before',
  sent: 'having sent',
  answer: 'at the answer to',
  after: 'after',
  event: 'at an event of',
} as const;

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
