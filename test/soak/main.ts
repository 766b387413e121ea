import process from 'node:process';
import { drawPlan } from './draw-plan.ts';
import { tell } from './happenings.ts';
import { laws } from './laws.ts';
import { live } from './life.ts';
import type { Observation } from './observation.ts';

const [from = '1', count = '1', story] = process.argv.slice(2);
for (let number = Number(from); number < Number(from) + Number(count); number += 1) {
  const plan = drawPlan(number);
  const counts: Record<string, number> = {};
  const began = performance.now();
  const count = (o: Observation): void => {
    const key = o.kind === 'process' ? o.did : o.kind === 'fault' ? o.name : o.kind;
    counts[key] = (counts[key] ?? 0) + 1;
    if (story === 'story' && o.kind === 'happening')
      process.stdout.write(`${((o.at - 1780315200000) / 1000).toFixed(1)} ${tell(o.happening)}\n`);
    if (story === 'story' && o.kind === 'turn' && o.turn.from !== o.turn.to)
      process.stdout.write(
        `${((o.at - 1780315200000) / 1000).toFixed(1)} ${o.process} ${o.turn.subject} ${o.turn.from} → ${o.turn.to}\n`,
      );
  };
  const { broken, length } = await live(plan, { laws, observe: count });
  const took = performance.now() - began;
  process.stdout.write(
    `${number}: ${plan.shoots} shoots, ${Math.round(length / 1000)} s in ${Math.round(took)} ms (${Math.round(length / took)}×) ${JSON.stringify(counts)} ${broken ? JSON.stringify(broken) : 'fine'}\n`,
  );
}
