import type { ScaleDirection, ShootCommand } from '../../machines/shoot-language.ts';

type Scale = Extract<ShootCommand, { type: 'scale' }>;

/** Whether a command scales in this direction; a mark comes before the 0, and is taken away with the way up (SPEC 6.4, 6.5). */
export function isScaleIn(command: Readonly<{ type: string }>, direction: ScaleDirection): command is Scale {
  if (command.type !== 'scale') return false;
  const { change } = (command as Scale).params;
  const isDown = change.replicas === 0 || change.mark === true;
  return (direction === 'down') === isDown;
}
