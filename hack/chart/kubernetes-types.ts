import * as kubernetes from '@kubernetes/client-node';

export type Schema = Readonly<Record<string, unknown>>;

type Attribute = Readonly<{ baseName: string; type: string; format: string }>;
type Model = Readonly<{ getAttributeTypeMap(): readonly Attribute[] }>;

/** What the models do not say: without these the API server refuses an object. */
const required: Readonly<Record<string, readonly string[]>> = {
  V1EnvVar: ['name'],
  V1LabelSelectorRequirement: ['key', 'operator'],
  V1LocalObjectReference: ['name'],
  V1NodeSelector: ['nodeSelectorTerms'],
  V1NodeSelectorRequirement: ['key', 'operator'],
  V1PodAffinityTerm: ['topologyKey'],
  V1PreferredSchedulingTerm: ['weight', 'preference'],
  V1Volume: ['name'],
  V1VolumeMount: ['name', 'mountPath'],
  V1WeightedPodAffinityTerm: ['weight', 'podAffinityTerm'],
};

/** The models call these plain texts. */
const choices: Readonly<Record<string, readonly string[]>> = {
  'V1LabelSelectorRequirement.operator': ['In', 'NotIn', 'Exists', 'DoesNotExist'],
  'V1NodeSelectorRequirement.operator': ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'],
  'V1SeccompProfile.type': ['Localhost', 'RuntimeDefault', 'Unconfined'],
  'V1Toleration.operator': ['Exists', 'Equal', 'Lt', 'Gt'],
  'V1Toleration.effect': ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
};

/** All others are of times before CSI, or would bring a claim's whole definition. */
const volumes = 'name configMap csi downwardAPI emptyDir hostPath nfs persistentVolumeClaim projected secret'.split(
  ' ',
);

/**
 * JSON Schemas of what a pod is made of, from the models of Kubernetes' own client: a key that Kubernetes does not know is refused, and a value
 * of another type. Once for each model that was asked for, as `definitions` of the schema that refers to them.
 */
export class KubernetesTypes {
  readonly definitions: Record<string, Schema> = {};

  refer(name: string): Schema {
    if (!(name in this.definitions)) {
      // Before its attributes are looked at: one of them may be of the same type.
      this.definitions[name] = {};
      this.definitions[name] = this.#define(name);
    }
    return { $ref: `#/definitions/${name}` };
  }

  #define(name: string): Schema {
    const model = (kubernetes as unknown as Readonly<Record<string, Model>>)[name];
    if (model === undefined) throw new Error(`the client has no model ${name}`);
    const attributes = model
      .getAttributeTypeMap()
      .filter(({ baseName }) => name !== 'V1Volume' || volumes.includes(baseName))
      .map(({ baseName, type, format }) => {
        const values = choices[`${name}.${baseName}`];
        return [baseName, values === undefined ? this.#typed(type, format) : { type: 'string', enum: values }];
      });
    return {
      type: 'object',
      properties: Object.fromEntries(attributes) as Schema,
      required: required[name] ?? [],
      additionalProperties: false,
    };
  }

  #typed(type: string, format: string): Schema {
    const [, item] = /^Array<(.+)>$/.exec(type) ?? [];
    if (item !== undefined) return { type: 'array', items: this.#typed(item, format) };
    const [, value] = /^\{ \[key: string\]: (.+); \}$/.exec(type) ?? [];
    if (value !== undefined) return { type: 'object', additionalProperties: this.#typed(value, format) };
    switch (type) {
      case 'string':
      case 'boolean':
        return { type };
      case 'number':
        return { type: format.startsWith('int') ? 'integer' : 'number' };
      default:
        return this.refer(type);
    }
  }
}
