import type { Languages } from '../../../machines/kinds.ts';
import { shootMachine } from '../../../machines/shoot.ts';
import { weederMachine } from '../../../machines/weeder.ts';
import { chartModel, type Region } from './chart-model.ts';

/** The charts of all machines. */
export const chartModels: Readonly<Record<keyof Languages, readonly Region[]>> = {
  shoot: chartModel(shootMachine),
  weeder: chartModel(weederMachine),
};
