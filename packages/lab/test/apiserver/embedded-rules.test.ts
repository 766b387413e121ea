import { apiServerRules } from '@dwd/simulator/contract/embedded-api-rules.ts';
import type { ApiServerStage } from '@dwd/simulator/contract/rule-stage.ts';
import { podRules } from '@dwd/simulator/contract/embedded-pod-rules.ts';
import { defineGadgets } from '@dwd/simulator/contract/gadgets.ts';
import { realSeed, realTier } from './real-tier.ts';

// What the embedded seed is held to holds for the real one: else it would play a world that does not exist.
const startReal = async (): Promise<ApiServerStage> => {
  const { url, ca } = realTier().seed;
  const stage = { url, ca, token: realSeed().token('admin'), weakToken: realSeed().token('weak') };
  await defineGadgets(stage);
  return { ...stage, stop: async () => undefined };
};

apiServerRules('real', startReal);
podRules('real', startReal);
