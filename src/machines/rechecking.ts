import { earliest, type Instant, type Millis } from '../domain/time.ts';
import type { Decision, ShootContext } from './shoot-context.ts';
import type { ShootCommand } from './shoot-language.ts';

/** How long a watch's word stands for what is believed to be at 0 while the shoot is cut off (SPEC 6.6). */
const believedFor: Millis = 60_000;

/** When something that is believed to be down must be read again; undefined where nothing is, or all of it is being read. */
export function recheckAt(context: ShootContext): Instant | undefined {
  return earliest(believedDown(context).map(({ known }) => (known.heardAt ?? 0) + believedFor));
}

/** A seed that was restored from a backup may have all of it running, and a silent watch cannot tell. */
export function recheck(context: ShootContext, at: Instant): Decision {
  let { numbered } = context;
  const known = { ...context.known };
  const commands: ShootCommand[] = [];
  for (const { dependant, known: one } of believedDown(context)) {
    if (at < (one.heardAt ?? 0) + believedFor) continue;
    const { key, ref } = dependant;
    known[key] = { ...one, reading: { number: ++numbered, bucket: 'urgent', overtaken: false } };
    // Hundreds of shoots may be cut off for hours: their scale-ups must not stand in one queue with this.
    commands.push({ type: 'read', params: { number: numbered, key, ref, urgent: true } });
  }
  return { context: { ...context, numbered, known }, commands };
}

function believedDown({ config, known }: ShootContext) {
  return config.dependants.flatMap((dependant) => {
    const one = known[dependant.key];
    const down = one?.view?.found === true && !one.view.ignored && one.view.replicas === 0;
    return down && one.reading === null && one.writing === null ? [{ dependant, known: one }] : [];
  });
}
