import type { ShootNamespace } from '../../../domain/names.ts';
import type { ShootTurn } from '../../../effects/turn.ts';
import type { ShootLanguage } from '../../../machines/kinds.ts';
import type { Follower } from '../episodes/follow.ts';
import { followOutages } from '../episodes/follow-outages.ts';
import type { LeaderOf } from '../episodes/leaders.ts';
import type { Log } from './log.ts';

/** All turns of the log are of this process, and it names none of them. */
const ownRun = '';

/**
 * Follows the outages of all shoots, and tells of each when it is over, in one sentence (SPEC 9.4). `leader`: this process, which may have taken the lead
 * while the outage went on (SPEC 9.11). Every turn of a shoot must pass, in order.
 */
export function outageLog(leader?: LeaderOf): (turn: ShootTurn, log: Log) => void {
  const followers = new Map<ShootNamespace, Follower<ShootLanguage>>();

  return (turn, log) => {
    const { subject: shoot, event } = turn;
    let follower = followers.get(shoot);
    if (follower === undefined) followers.set(shoot, (follower = followOutages(leader)));
    for (const { endedAt, episode } of follower(turn, ownRun)) {
      if (endedAt === null) continue;
      const { weight, sentence, data } = episode();
      log[weight === 'bad' ? 'warn' : 'info'](`${shoot} was ${sentence}`, { line: 'outage over', ...data });
    }
    if (event.type === 'ended' && event.because === 'gone') followers.delete(shoot);
  };
}
