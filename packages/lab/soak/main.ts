/**
 * `npm run soak`: plays whole seeds in virtual time until a law breaks. Ends with 0 where none did, with 1 where one did, and with 2 where it was
 * asked wrongly.
 */
import process from 'node:process';
import { drawPlan } from './draw-plan.ts';
import { chartLines } from './coverage/chart-coverage.ts';
import { reachedLines } from './coverage/code-coverage.ts';
import { keepLife, sentenceOf } from './life-story.ts';
import { laws } from './laws.ts';
import { live } from './life.ts';
import { liveNumber, tallyLines, type Lived } from './tally.ts';
import { shrink } from './shrink.ts';
import { soak } from './soak.ts';
import { readSoakOptions, usage, type SoakOptions } from './soak-options.ts';

/** Plans that are tried to make a story smaller, and for how long in ms: a life of 20 shoots takes half a minute. */
const mostShrinking = 120;
const longestShrinking = 300_000;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(args: readonly string[]): Promise<number> {
  let options: SoakOptions | 'help';
  try {
    options = readSoakOptions(args, () => 1_000_000 + Math.floor(Math.random() * 1_000_000_000));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  if (options === 'help') {
    print(usage);
    return 0;
  }
  if (options.story) return tellLife(options);
  const began = performance.now();
  print(`numbers from ${options.first} on, ${laws.length} laws, ${options.workers} workers`);
  const now = (): number => performance.now() - began;
  if (options.lives === 1) {
    const lived = await liveNumber(options.first);
    print(tallyLines(lived.tally, now(), 1).join('\n'));
    return lived.broken === undefined ? 0 : explain(lived, options);
  }
  let told = 0;
  const { tally, reached, broken } = await soak(options, {
    now,
    onLived(lived) {
      if (now() - told < 60_000) return;
      told = now();
      print(`${Math.round(told / 60_000)} min: number ${lived.number}`);
    },
  });
  print(
    [
      ...tallyLines(tally, now(), options.workers),
      ...chartLines(tally.charts),
      ...(options.coverage ? reachedLines(reached) : []),
    ].join('\n'),
  );
  return broken === undefined ? 0 : explain(broken, options);
}

async function tellLife({ first }: SoakOptions): Promise<number> {
  const { broken } = await live(drawPlan(first), {
    laws,
    observe(seen) {
      const sentence = sentenceOf(seen);
      if (sentence !== undefined) print(sentence);
    },
  });
  print(broken === undefined ? 'no law was broken' : `broken: ${broken.law}\n${broken.why}`);
  return broken === undefined ? 0 : 1;
}

async function explain({ number, broken: found }: Lived, { out }: SoakOptions): Promise<number> {
  if (found === undefined) return 0;
  print(
    `\nnumber ${number} breaks a law, ${(found.at / 1_000).toFixed(1)} s after its beginning: ${found.law}\n${found.why}\n`,
  );
  const begun = performance.now();
  const { plan, lived } = await shrink(
    drawPlan(number),
    async (smaller) => {
      const { broken } = await live(smaller, { laws });
      return broken?.law === found.law ? broken.at : undefined;
    },
    (lives) => lives < mostShrinking && performance.now() - begun < longestShrinking,
  );
  const dir = out === '' ? `soak-${number}` : out;
  const broken = await keepLife(plan, dir);
  print(
    `the story, made smaller in ${lived} lives (${plan.happenings.length} happenings, ${plan.shoots} shoots), is in ${dir}/story.txt: ${broken?.why ?? 'nothing is broken any more'}`,
  );
  print(
    `look at it: npx node src/main.ts inspect ${dir}/journals; npm run replay -- ${dir}/journals; npm run soak -- --seed ${number} --story`,
  );
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
