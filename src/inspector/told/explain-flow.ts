import { counted, seconds } from '../../adapters/words/plain-words.ts';
import { shortName } from '../../adapters/words/shoot-words.ts';
import { scaleStep, type Known, type Step } from '../../domain/prober/scale-step.ts';
import type { Instant } from '../../domain/time.ts';
import type { ShootContext } from '../../machines/shoot-context.ts';
import type { Fact } from './explanation.ts';
import { fact } from './guard-facts.ts';

/** Where each dependant is on its way down or up (SPEC 6.1). */
export function flowFacts({ flow, config, known }: ShootContext, now: Instant): readonly Fact[] {
  if (flow === null) return [fact('on the way', 'nothing')];
  const steps = config.dependants.map((one) => {
    const step = flow.steps[one.key];
    const late = flow.late.includes(one.key) ? ', late' : '';
    const words = step === undefined ? 'not begun' : stepWords(step, known[one.key], now);
    return fact(shortName(one.key), `${words}${late} (level ${scaleStep(one, flow.aim).level})`);
  });
  return [fact('on the way', `${flow.aim === 'down' ? 'down' : 'up'}, at level ${flow.level}`), ...steps];
}

function stepWords(step: Step, known: Known | undefined, now: Instant): string {
  switch (step.is) {
    case 'pending':
      return 'waits for its level';
    case 'delayed':
      return `delayed for ${seconds(Math.max(0, step.until - now))} more`;
    case 'asking':
      return `${underWay(known)}${step.failures === 0 ? '' : `, after ${counted(step.failures, 'failure')}`}`;
    case 'backingOff':
      return `failed ${counted(step.failures, 'time')}, again in ${seconds(Math.max(0, step.until - now))}`;
    case 'settling':
      return 'written, its replicas have to follow';
    case 'done':
      return 'done';
    case 'stuck':
      return 'stuck until the next connected verdict';
  }
}

function underWay(known: Known | undefined): string {
  if (known?.writing != null) return `write ${known.writing} is under way`;
  return known?.reading == null ? 'about to be asked' : `read ${known.reading.number} is under way`;
}
