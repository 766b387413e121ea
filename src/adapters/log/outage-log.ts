import type { ShootNamespace } from '../../domain/names.ts';
import type { ShootTurn } from '../../effects/turn.ts';
import type { ShootLanguage } from '../../machines/kinds.ts';
import type { Follower } from '../episodes/follow.ts';
import { followOutages } from '../episodes/follow-outages.ts';
import type { Log } from './log.ts';

/** The log names no turn, so it need not know of which run one is. */
const noRun = '';

/** Follows the outages of all shoots, and tells of each when it is over, in one sentence (SPEC 9.4). Every turn of a shoot must pass, in order. */
export function outageLog(): (turn: ShootTurn, log: Log) => void {
  const followers = new Map<ShootNamespace, Follower<ShootLanguage>>();

  return (turn, log) => {
    const { subject: shoot, event } = turn;
    let follower = followers.get(shoot);
    if (follower === undefined) followers.set(shoot, (follower = followOutages()));
    for (const { endedAt, episode } of follower(turn, noRun)) {
      if (endedAt === null) continue;
      const { weight, sentence, data } = episode();
      log[weight === 'bad' ? 'warn' : 'info'](`${shoot} was ${sentence}`, { line: 'outage over', ...data });
    }
    if (event.type === 'ended' && event.because === 'gone') followers.delete(shoot);
  };
}
