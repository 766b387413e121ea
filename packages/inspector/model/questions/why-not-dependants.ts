import { shootCommandWords } from 'dependency-watchdog/adapters/record/words/shoot-words.ts';
import { shortName } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import { counted, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { writesAtOnce, type Dependant } from 'dependency-watchdog/domain/prober/dependant.ts';
import { dueChange, hasArrived, type Aim } from 'dependency-watchdog/domain/prober/due-change.ts';
import type { PresentResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import { isUpToDate, mayBeRead, scaleStep, type Step } from 'dependency-watchdog/domain/prober/scale-step.ts';
import { isScaleIn, part, type Asked, type PartAnswer, type WhyNot } from './why-not-obstacle.ts';

/** What stood in the way of each dependant by itself, whatever the verdict was (SPEC 6); in the order of their levels. */
export function dependantAnswers(asked: Asked, aim: Aim): WhyNot['parts'] {
  return asked.context.config.dependants
    .toSorted((one, other) => scaleStep(one, aim).level - scaleStep(other, aim).level)
    .map((dependant) => ({
      key: dependant.key,
      name: shortName(dependant.key),
      ...answerOf(dependant, asked, aim),
    }));
}

function answerOf(dependant: Dependant, asked: Asked, aim: Aim): PartAnswer {
  const { context, one, direction } = asked;
  const { key, ref } = dependant;
  const { at, commands } = one.turn;
  const known = context.known[key];
  const command = commands.find((each) => isScaleIn(each, direction) && each.params.key === key);
  if (command !== undefined) return part('did', `${begun(shootCommandWords(command, at))}, in this turn.`, '6.1');
  if (known === undefined) return part('hindered', 'It was not configured.', '2');
  if (known.writing !== null) return part('underWay', `Write ${known.writing} on it was under way.`, '6.3');

  const { view, refusal } = known;
  if (view === null) {
    if (!mayBeRead(known, at) || refusal !== null)
      return part('hindered', 'It may not be read, so nobody knows how it stands.', '6.8');
    return part('waiting', 'It was not known yet how it stands.', '6.6');
  }
  if (!view.found)
    return part(dependant.optional || direction === 'down' ? 'done' : 'hindered', 'It did not exist.', '6.8');
  const change = dueChange(view, aim, writesAtOnce(ref));
  if (view.ignored) return part('done', 'It is ignored, by its annotation ignore-scaling.', '6.7', 'S2');
  const step = stepOf(asked, dependant);
  if (change === undefined) return nothingDue(view, aim, step);
  if (!isUpToDate(known) && step?.is !== 'backingOff')
    return part('waiting', 'It had to be read again first: a write met something newer.', '6.6');
  return waiting(step, dependant, asked, aim);
}

/** Its step of a flow in this direction. */
function stepOf({ context, direction }: Asked, { key }: Dependant): Step | undefined {
  const { flow } = context;
  return flow === null || (flow.aim === 'down') !== (direction === 'down') ? undefined : flow.steps[key];
}

function nothingDue(view: PresentResource, aim: Aim, step: Step | undefined): PartAnswer {
  const replicas = counted(view.replicas, 'replica');
  if (aim !== 'down' && view.replicas === 0) {
    const sentence = 'It was at 0, but not by our hand, and the verdict raised only what is ours.';
    return part('hindered', sentence, '5.3', '3.5');
  }
  if (step !== undefined && step.is !== 'done' && !hasArrived(view, aim))
    return part('underWay', `It was set to ${replicas}, and ${view.readyReplicas} were ready.`, '6.1');
  if (aim !== 'down') return part('done', `It had ${replicas} already.`, '6.5');
  const hand = view.marked ? 'by our hand' : 'not by our hand';
  return part('done', `It was at 0 already, ${hand}.`, '6.4');
}

function waiting(step: Step | undefined, dependant: Dependant, { context, one }: Asked, aim: Aim): PartAnswer {
  const { at } = one.turn;
  switch (step?.is) {
    case undefined:
    case 'done':
      return part('waiting', 'Nothing of its own stood in the way: it waited for a verdict.', '6.2');
    case 'delayed':
      return part('waiting', `Its initialDelay ran for ${seconds(step.until - at)} more.`, '6.1', '6.2');
    case 'backingOff': {
      const next = `the next try was due in ${seconds(step.until - at)}`;
      return part(
        'waiting',
        `It failed ${counted(context.known[dependant.key]?.tries?.failures ?? 1, 'time')}; ${next}.`,
        '6.8',
      );
    }
    case 'stuck':
      return part('waiting', 'It was not ready within its timeout, and goes on with the next verdict.', '6.1');
    case 'pending':
    case 'asking':
    case 'settling': {
      const { level } = scaleStep(dependant, aim);
      const now = context.flow?.level ?? level;
      if (now === level) return part('underWay', 'It was under way.', '6.1');
      const before = context.config.dependants
        .filter((other) => scaleStep(other, aim).level === now && context.flow?.steps[other.key]?.is !== 'done')
        .map(({ key }) => shortName(key));
      return part('waiting', `Its level ${level} waited for level ${now}: ${before.join(', ')}.`, '6.1', 'S4');
    }
  }
}

function begun(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
