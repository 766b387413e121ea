import { firstValueFrom, type Observable } from 'rxjs';
import { appsPlural } from '../../adapters/kube/paths.ts';
import { systemClock as clock } from '../../adapters/clock/wall-clock.ts';
import type { StreamNotice } from '../../adapters/reflector/stream-item.ts';
import type { ShootNamespace } from '../../domain/names.ts';
import type { Millis } from '../../domain/time.ts';
import { withProberReport } from '../../domain/prober/prober-report.ts';
import { judgeStanding, whileNobodyLeads, worstFirst } from '../../domain/prober/standing.ts';
import { unreadKindWords, watchedSeed, type SeedAtHand } from '../seed-command.ts';
import { askProber, type ProberAnswer } from './ask-prober.ts';
import { leadFault, seeLeader, type LeaderSeen } from './leader-line.ts';
import type { SeedStatus, ShootStatus } from './status-report.ts';

export type LookAtSeed = Readonly<{
  /** As `SeedPicture` has it. */
  shoots$: Observable<ReadonlySet<ShootNamespace>>;
  troubles$: Observable<StreamNotice>;
  /** Who leads. Rejects with KubeError where the seed does not answer: the first to be asked, since it says so at once. */
  leader(): Promise<LeaderSeen>;
  /** How the seed stands now, or one shoot of it. Never rejects. */
  now(leader: LeaderSeen, only: ShootNamespace | undefined): Promise<SeedStatus>;
}>;

type SeedLookOptions = Pick<SeedAtHand, 'client' | 'config' | 'server' | 'warn'> &
  Readonly<{ url: string | undefined; namespace: string }>;

/**
 * A dependant of a kind that no watch shows is asked for one by one. Beyond this many a look would take minutes, so the others are not
 * asked for, and count as not read.
 */
const mostAsked = 200;

/** It is a list of all Deployments, so whoever watches a seed does not get it with each change. */
const straysEvery: Millis = 300_000;

export function seedLook({ client, config, server, warn, url, namespace }: SeedLookOptions): LookAtSeed {
  let asked = 0;
  let straysAt = -Infinity;
  const unreadSaid = new Set<string>();
  const picture = watchedSeed({ client, config }, (ref) => {
    if (appsPlural(ref) !== undefined) return `the seed does not let this user list and watch ${ref.kind}s`;
    return asked++ >= mostAsked ? `more than ${mostAsked} of such a kind are not asked for one by one` : undefined;
  });
  return {
    shoots$: picture.shoots$,
    troubles$: picture.troubles$,
    leader: () => seeLeader(client, clock, namespace),
    async now(leader, only) {
      asked = 0;
      if (clock.now() - straysAt >= straysEvery) {
        straysAt = clock.now();
        const unread = (await picture.findStrays(only)).map(unreadKindWords);
        for (const words of unread) if (!unreadSaid.has(words)) warn(words);
        for (const words of unread) unreadSaid.add(words);
      }
      const answer = url === undefined ? undefined : await askProber(url, clock, only);
      const of = answer !== undefined && 'of' in answer ? answer.of : new Map<string, never>();
      const prober = url === undefined || answer === undefined ? undefined : askedOf(url, answer);
      const fault = leadFault({ leader, ...(prober && { prober }) });
      const standings = await Promise.all(
        (only === undefined ? [...(await firstValueFrom(picture.shoots$))] : [only]).map((shoot) => picture.of(shoot)),
      );
      const all = standings.map((picture): ShootStatus => {
        const judged = judgeStanding(picture);
        const standing = fault === undefined ? judged : whileNobodyLeads(judged, fault);
        const known = of.get(standing.shoot);
        return known === undefined ? { standing } : { standing: withProberReport(standing, known), report: known };
      });
      return {
        at: clock.now(),
        server,
        leader,
        ...(prober && { prober }),
        shoots: all.toSorted((one, other) => worstFirst(one.standing, other.standing)),
      };
    },
  };
}

function askedOf(address: string, answer: ProberAnswer): NonNullable<SeedStatus['prober']> {
  if ('problem' in answer) return { address, problem: answer.problem };
  const { lead, headline } = answer;
  return { address, ...(lead && { lead }), ...(headline && { headline }) };
}
