import { setTimeout as pause } from 'node:timers/promises';
import { ignoreAnnotation, markAnnotation } from 'dependency-watchdog/domain/prober/resource-view.ts';
import { secretNames } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import type { Chance } from 'dependency-watchdog/effects/ports.ts';
import type { MeltingShoot } from '../meltdown/melting-shoot.ts';
import { pathFaults } from '../options/path-fault-option.ts';
import { shootUser } from '@dwd/testing/gardener-rbac.ts';
import { mergePatch, tolerating } from '../real/operator-client.ts';
import { boundToken, type KeptProber, type NightPlane } from './plane.ts';
import { Gardenlet, whileAway } from './gardenlet.ts';
import type { StruckTrouble } from './facts.ts';
import type { HandTrouble, ProberTrouble, SeedTrouble, ShootTrouble, Trouble } from './trouble.ts';

const tokenPrefix = 'probe-token-';
const ignoring = (value: string | null) => ({ metadata: { annotations: { [ignoreAnnotation]: value } } });

const main = 'kube-controller-manager';
const dependants = [main, 'machine-controller-manager', 'cluster-autoscaler'];

type Blow = Readonly<{ namespace?: string; name?: string }>;

/** Strikes what it is told, and knows afterwards when each blow began and ended. What meets another trouble and cannot be done is left out, and told. */
export class Striker {
  readonly struck: StruckTrouble[] = [];
  readonly leftOut: string[] = [];
  readonly gardenlet: Gardenlet;
  readonly #plane: NightPlane;
  readonly #chance: Chance;
  #tokenCount = 0;

  constructor(plane: NightPlane, chance: Chance) {
    this.#plane = plane;
    this.#chance = chance;
    this.gardenlet = new Gardenlet(plane);
  }

  /** Resolves once the trouble is over. */
  async strike(trouble: Trouble): Promise<void> {
    const from = Date.now();
    const blow = await this.#blow(trouble);
    if (blow === undefined) this.leftOut.push(trouble.kind);
    else this.struck.push({ kind: trouble.kind, of: trouble.of, from, to: Date.now(), ...blow });
  }

  #blow(trouble: Trouble): Promise<Blow | undefined> {
    switch (trouble.of) {
      case 'probers':
        return this.#ofProbers(trouble.kind, trouble.length);
      case 'seed':
        return this.#ofSeed(trouble.kind, trouble.length);
      case 'hands':
        return this.#ofHands(this.#shoot(trouble.shoot), trouble.kind, trouble.length);
      case 'shoot':
        return this.#ofShoot(this.#shoot(trouble.shoot), trouble.kind, trouble.length);
    }
  }

  #shoot(number: number): MeltingShoot {
    const shoot = this.#plane.shoots[number];
    if (shoot === undefined) throw new Error(`there is no shoot ${number}`);
    return shoot;
  }

  async #ofProbers(kind: ProberTrouble, length: number): Promise<Blow | undefined> {
    const leading = await Promise.all(this.#plane.probers.map((prober) => prober.leads()));
    const leader = this.#plane.probers[leading.indexOf(true)];
    const standby = this.#plane.probers[leading.indexOf(false)];
    const strike: Readonly<Record<ProberTrouble, (one: KeptProber) => Promise<void>>> = {
      'leader crashed': (one) => one.strike('SIGKILL', length),
      'leader told to end': (one) => one.strike('SIGTERM', length),
      'leader paused': (one) => one.standStill(length),
      'standby crashed': (one) => one.strike('SIGKILL', length),
    };
    const victim = kind === 'standby crashed' ? standby : leader;
    if (victim === undefined) return undefined;
    await strike[kind](victim);
    return { name: victim.pod };
  }

  async #ofSeed(kind: SeedTrouble, length: number): Promise<Blow | undefined> {
    const { seed } = this.#plane;
    const play: Readonly<Record<SeedTrouble, () => Promise<void>>> = {
      'seed down': async () => {
        await seed.api.die();
        await pause(length);
        await seed.api.rise();
      },
      'etcd down': () => seed.etcdAway(length),
      'etcd backed up': async () => {
        // What is played by several writes is not to be cut in half: nobody would finish it.
        this.gardenlet.keep();
        await seed.backUp();
      },
      'etcd restored': async () => {
        await seed.restore();
        await this.gardenlet.restored();
        // The Secrets of the snapshot may have tokens that hold no more.
        for (const shoot of this.#plane.shoots) await this.#rotate(shoot);
      },
    };
    await this.gardenlet.alone(play[kind]);
    return {};
  }

  async #ofShoot(shoot: MeltingShoot, kind: ShootTrouble, length: number): Promise<Blow | undefined> {
    const { name: namespace, controllerManager, kubelets } = shoot;
    const broken = (fault: PathFault) => async (): Promise<Blow> => {
      await shoot.paths.break('external', fault);
      await pause(length);
      await shoot.paths.heal('external');
      return {};
    };
    const play: Readonly<Record<ShootTrouble, () => Promise<Blow | undefined>>> = {
      'external path broken (refuse)': broken(pathFaults.refuse),
      'external path broken (cut)': broken(pathFaults.cut),
      'external path broken (hang)': broken(pathFaults.hang),
      'external path broken (reset)': broken(pathFaults.reset),
      'external path broken (slow)': broken(pathFaults.slow),
      'API server down': async () => {
        await shoot.serverAway(length);
        return {};
      },
      'controller-manager crashed': async () => {
        controllerManager.signal('SIGKILL');
        return {};
      },
      'controller-manager paused': async () => {
        controllerManager.signal('SIGSTOP');
        await pause(length);
        controllerManager.signal('SIGCONT');
        return {};
      },
      'node cut off': async () => {
        const node = kubelets.names[Math.floor(this.#chance() * kubelets.names.length)] ?? '';
        kubelets.cutOff([node]);
        await pause(length);
        kubelets.heal([node]);
        return { name: node };
      },
      'Secret rotated': async () => {
        await this.#rotate(shoot);
        return {};
      },
      hibernated: async () => {
        await this.gardenlet.hibernate(shoot, length);
        return {};
      },
      rolled: async () => {
        const template = { metadata: { annotations: { 'checksum/configmap': String(Date.now()) } } };
        await this.gardenlet.patch(namespace, main, { spec: { template } });
        return { name: main };
      },
      'shoot deleted, and created again': async () => {
        await this.gardenlet.makeAgain(shoot, length);
        return {};
      },
    };
    const blow = await play[kind]();
    return blow && { namespace, ...blow };
  }

  /** The token-requestor's work: a new token in the Secret; the old one holds no more once its own Secret is gone. */
  async #rotate(shoot: MeltingShoot): Promise<void> {
    const [, , namespace = ''] = shootUser.split(':');
    const name = `${tokenPrefix}${++this.#tokenCount}`;
    const bind = { kind: 'Secret', name } as const;
    const token = await whileAway(() => boundToken(shoot.operator, shootUser, bind));
    const kubeconfig = Buffer.from(shoot.proberKubeconfig(token, this.#plane.place)).toString('base64');
    const [secret = ''] = secretNames(this.#plane.place.config);
    await this.gardenlet.onSeed(({ core }) =>
      core.patchNamespacedSecret({ namespace: shoot.name, name: secret, body: { data: { kubeconfig } } }, mergePatch),
    );
    const { core } = shoot.operator;
    const { items } = await whileAway(() => core.listNamespacedSecret({ namespace }));
    for (const { metadata } of items)
      if (metadata?.name?.startsWith(tokenPrefix) === true && metadata.name !== name)
        await whileAway(() => tolerating([404], core.deleteNamespacedSecret({ namespace, name: metadata.name ?? '' })));
  }

  async #ofHands(shoot: MeltingShoot, kind: HandTrouble, length: number): Promise<Blow | undefined> {
    const { name: namespace } = shoot;
    const name = dependants[Math.floor(this.#chance() * dependants.length)] ?? '';
    switch (kind) {
      case 'scaled by hand':
        return await this.#scale(namespace, name, false);
      case 'raised by hand': {
        const until = Date.now() + length;
        let blow: Blow | undefined;
        while (blow === undefined && Date.now() < until) {
          await pause(1_000);
          blow = await this.#scale(namespace, name, true);
        }
        return blow;
      }
      case 'told to ignore':
        await this.gardenlet.patch(namespace, name, ignoring('true'));
        await pause(length);
        await this.gardenlet.patch(namespace, name, ignoring(null));
        return { namespace, name };
    }
  }

  /** Somebody changes how many replicas a dependant has; or raises what is down by our hand. Undefined where there is nothing to do. */
  async #scale(namespace: string, name: string, raises: boolean): Promise<Blow | undefined> {
    const found = await this.gardenlet.onSeed(({ apps }) =>
      tolerating([404], apps.readNamespacedDeployment({ namespace, name })),
    );
    const { metadata, spec } = found ?? {};
    const isDown = markAnnotation in (metadata?.annotations ?? {});
    if (found === undefined || isDown !== raises || (spec?.replicas === 0) !== raises) return undefined;
    const replicas = raises ? this.gardenlet.wanted(namespace, name) : spec?.replicas === 1 ? 2 : 1;
    // Nobody scales what has changed since they looked.
    const isDone = await this.gardenlet.patch(namespace, name, {
      metadata: { resourceVersion: metadata?.resourceVersion },
      spec: { replicas },
    });
    if (!isDone) return undefined;
    if (!raises) this.gardenlet.want(namespace, name, replicas);
    return { namespace, name };
  }
}
