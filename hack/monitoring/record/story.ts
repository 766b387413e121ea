import type { RecordedStage } from './recorded-stage.ts';

/** Something that happens while the dashboards are recorded. */
type Beat = Readonly<{
  /** From the beginning. */
  second: number;
  /** For docs/monitoring.md. */
  says: string;
  play(stage: RecordedStage): void | Promise<void>;
}>;

type Story = Readonly<{ beats: readonly Beat[]; seconds: number }>;

const many = ['one', 'two', 'three', 'four', 'five'].map((name) => `shoot--dev--${name}`);
const weeded = ['shoot--dev--two', 'shoot--dev--three', 'shoot--dev--seven'];

/** Each kind of trouble that the dashboards show, one after the other, in real time. */
export const wholeStory: Story = {
  seconds: 600,
  beats: [
    { second: 45, says: 'the network of five of eight shoots fails', play: (stage) => stage.cutOff(many) },
    { second: 135, says: 'the network is back', play: (stage) => stage.heal(many) },
    {
      second: 190,
      says: 'the API server of a sixth shoot answers 429 to everything, for 80 s',
      play: (stage) => stage.seed.shoot('shoot--dev--six').throttle(),
    },
    { second: 250, says: 'the leading prober is ended; the other one leads', play: (stage) => stage.restartLeader() },
    { second: 270, says: 'the sixth shoot answers again', play: (stage) => stage.seed.shoot('shoot--dev--six').up() },
    { second: 300, says: 'etcd of three control planes is away', play: (stage) => stage.etcdDown(weeded) },
    {
      second: 400,
      says: 'it is back, and the weeder deletes what crash-loops',
      play: (stage) => stage.etcdUp(weeded),
    },
    {
      second: 420,
      says: 'one of these three is cut off as well',
      play: (stage) => stage.cutOff(['shoot--dev--three']),
    },
    {
      second: 500,
      says: 'it is connected again, but the seed cuts its watches, and answers writes on Deployments with 429',
      play: (stage) => (stage.throttleWrites(), stage.heal(['shoot--dev--three'])),
    },
    {
      second: 520,
      says: 'a zone of the eighth shoot is cut off',
      play: (stage) => stage.cutOffZone('shoot--dev--eight'),
    },
    { second: 525, says: 'the seed takes writes again', play: (stage) => stage.seed.api.clearFault() },
  ],
};

/** As little as shows that all of it works. */
export const shortStory: Story = {
  seconds: 80,
  beats: [
    { second: 5, says: 'the network of five of eight shoots fails', play: (stage) => stage.cutOff(many) },
    { second: 5, says: 'etcd of three control planes is away', play: (stage) => stage.etcdDown(weeded) },
    { second: 50, says: 'both are back', play: (stage) => (stage.heal(many), stage.etcdUp(weeded)) },
  ],
};
