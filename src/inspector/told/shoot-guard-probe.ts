import { probeDueAt } from '../../machines/planning.ts';
import { probeLostAt } from '../../machines/probing.ts';
import type { MachineEvent, ShootContext } from '../../machines/shoot-context.ts';
import type { Instant } from '../../domain/time.ts';
import type { Fact } from './explanation.ts';
import { fact, instantFact } from './guard-facts.ts';

/** Which probe an event answers, and which one is under way (SPEC 4.3). */
export function currentFacts({
  context,
  event,
}: Readonly<{ context: ShootContext; event: MachineEvent }>): readonly Fact[] {
  if (!('number' in event)) return probeUnderWay(context);
  const lostAt = probeLostAt(context);
  const isOver = lostAt !== undefined && event.at >= lostAt;
  return [
    fact('answers', `probe ${event.number}`),
    ...probeUnderWay(context),
    ...(isOver ? [instantFact('given up', lostAt, event.at)] : []),
  ];
}

export function probeUnderWay({ probe }: ShootContext): readonly Fact[] {
  return [fact('under way', probe.asked === null ? 'no probe' : `probe ${probe.asked.number}`)];
}

/** When the next probe is due, and whether the shoot is left alone until then (SPEC 4.5, 4.9). */
export function dueProbeFacts(context: ShootContext, now: Instant): readonly Fact[] {
  const { heldUntil } = context.probe;
  return [
    instantFact('due', probeDueAt(context), now),
    ...(heldUntil === null ? [] : [instantFact('left alone until', heldUntil, now)]),
  ];
}
