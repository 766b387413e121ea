import { naturalOrder } from '../domain/natural-order.ts';
import { counted } from '../adapters/words/plain-words.ts';
import { nearest } from '../domain/nearest.ts';
import type { ShootNamespace } from '../domain/names.ts';
import { wrongCommandLine, type Refusal } from './command.ts';

/** The shoot that a command line asks for, as an argument or by a flag; undefined where it asks for all. */
export function askedShoot(
  command: string,
  [operand]: readonly string[],
  flag: string | undefined,
): Readonly<{ ok: true; asked: string | undefined }> | Refusal {
  if (operand === undefined || flag === undefined || operand === flag) return { ok: true, asked: operand ?? flag };
  return wrongCommandLine(command, `it is asked for two shoots, ${operand} and ${flag}; name one, or none for all`);
}

/** The shoot of that namespace, or else the one whose name it is: Gardener's namespaces end in `--NAME`. Where it is none, or not clear, why. */
export function namedShoot(
  asked: string,
  shoots: ReadonlySet<ShootNamespace>,
): Readonly<{ shoot: ShootNamespace }> | Readonly<{ problem: string }> {
  if (shoots.has(asked)) return { shoot: asked };
  const those = [...shoots].filter((shoot) => shoot.endsWith(`--${asked}`)).toSorted(naturalOrder);
  const [shoot] = those;
  if (shoot !== undefined && those.length === 1) return { shoot };
  if (shoot !== undefined)
    return {
      problem: `${counted(those.length, 'shoot')} are called ${asked}; write ${those.slice(0, 5).join(' or ')}`,
    };
  const meant = nearest(asked, shoots);
  const instead =
    meant === undefined
      ? `it has ${shoots.size === 0 ? 'none at all' : counted(shoots.size, 'other')}`
      : `did you mean ${meant}?`;
  return { problem: `the seed has no Cluster ${asked}; ${instead}` };
}
