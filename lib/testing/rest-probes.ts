import { formatId } from '../model/values/resource-id.js';
import type { Attribute } from '../model/surface/surface.js';
import { FILTER_OPERATORS, type FilterOperator, suits } from '../rest/parse/filter-operators.js';
import type { ProbedRelation, ProbedModel, ProbedField } from './hidden-field.js';
import { type Probe, type ProbeSettings, restProbe } from './probe.js';
import { absentKey, absentValues, sampleText, schemaSample } from './sample-value.js';

/** Builds probes for every place of the REST style that accepts the name of a field, with the hidden field in it. */
export function restProbes(subject: ProbedField, { divider, rows }: ProbeSettings): readonly Probe[] {
  const named = subject.members.flatMap((member) => [
    ...(subject.attribute ? attributeProbes(subject, member, subject.attribute) : relationProbes(subject, member, divider)),
    ...fieldsetProbes(subject, member),
    ...matchProbes(subject, member),
  ]);
  return [...named, ...silentProbes(subject, rows)];
}

function attributeProbes({ owner, hops }: ProbedField, member: string, attribute: Attribute): readonly Probe[] {
  const conditions = conditionsOn(member, attribute);
  const collection = `/${owner.type}`;
  return [
    ...conditions.map((condition) => restProbe(`${collection}?filter${condition}`)),
    ...conditions.slice(0, 1).map((condition) => restProbe(`${collection}?filter[or][0]${condition}`)),
    restProbe(`${collection}?sort=${member}`),
    restProbe(`${collection}?sort=-${member}`),
    ...hops.flatMap((hop) => hopProbes(hop, conditions, member)),
  ];
}

/** Returns the filters on a field, one for each operator of its type. */
function conditionsOn(member: string, attribute: Attribute): readonly string[] {
  const value = encodeURIComponent(sampleText(attribute));
  const operators = [...FILTER_OPERATORS.values()].filter((operator) => suits(operator, attribute));
  return [
    `[${member}]=${value}`,
    ...operators.map((operator) => `[${member}$${operator.name}]=${operandOf(operator, value)}`),
    ...operators.slice(0, 1).map((operator) => `[${member}][${operator.name}]=${operandOf(operator, value)}`),
  ];
}

function operandOf({ operand }: FilterOperator, value: string): string {
  switch (operand) {
    case 'any':
    case 'list':
      return value;
    case 'range':
      return `${value},${value}`;
    case 'flag':
    case 'null':
      return 'true';
  }
}

function hopProbes({ from, member: relation, many }: ProbedRelation, conditions: readonly string[], member: string): readonly Probe[] {
  const quantifiers = many ? ['', '$every', '$none'] : [''];
  const [equality = ''] = conditions;
  return [
    ...conditions.map((condition) => restProbe(`/${from.type}?filter[${relation}]${condition}`)),
    ...quantifiers.slice(1).map((quantifier) => restProbe(`/${from.type}?filter[${relation}${quantifier}]${equality}`)),
    ...(many ? [] : [restProbe(`/${from.type}?sort=${relation}.${member}`)]),
  ];
}

function relationProbes({ owner, hops }: ProbedField, member: string, divider: string): readonly Probe[] {
  const conditions = [`[${member}][id]=0`, `[${member}]=0`, `[${member}$null]=true`, `[${member}$isEmpty]=true`];
  const id = absentId(owner, divider);
  return [
    ...conditions.map((condition) => restProbe(`/${owner.type}?filter${condition}`)),
    restProbe(`/${owner.type}?include=${member}`),
    restProbe(`/${owner.type}?sort=${member}.id`),
    restProbe(`/${owner.type}?sort=${member}.$count`),
    ...(id === undefined ? [] : [restProbe(`/${owner.type}/${id}/${member}`), restProbe(`/${owner.type}/${id}/relationships/${member}`)]),
    ...hops.flatMap((hop) => [
      ...conditions.slice(0, 1).map((condition) => restProbe(`/${hop.from.type}?filter[${hop.member}]${condition}`)),
      restProbe(`/${hop.from.type}?include=${hop.member}.${member}`),
    ]),
  ];
}

/** Returns an id that no row has. A visible relationship then finds no record, and a hidden one is refused before the query. */
function absentId({ resource }: ProbedModel, divider: string): string | undefined {
  const key = resource && absentKey({ ...resource, uniqueKeys: new Map([['id', resource.identifier]]) });
  return key && encodeURIComponent(String(formatId(key, absentValues(key), divider)));
}

function fieldsetProbes({ owner, hops }: ProbedField, member: string): readonly Probe[] {
  if (ALWAYS_THERE.has(member)) return [];
  const fieldset = `fields[${owner.type}]=${member}`;
  return [restProbe(`/${owner.type}?${fieldset}`), ...hops.map((hop) => restProbe(`/${hop.from.type}?include=${hop.member}&${fieldset}`))];
}

/** Members of every resource object, which a fieldset may contain. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['id', 'type']);

/**
 * Builds upserts that match by the field, alone or with the other fields of a key. The document lacks a required attribute, so that nothing is
 * written. Without a required attribute there is no probe.
 */
function matchProbes({ owner: { name: model, type, resource }, keys, schema, field }: ProbedField, member: string): readonly Probe[] {
  return keys.flatMap(({ fields }): Probe[] => {
    const isSafe = resource?.attributes.some(({ name, hasDefault }) => !hasDefault && !fields.includes(name)) !== false;
    if (!isSafe) return [];
    const memberOf = (name: string): string => (name === field ? member : (resource?.fields.get(name)?.member ?? name));
    const attributes = Object.fromEntries(fields.map((name) => [memberOf(name), schemaSample(schema, model, name)]));
    const matchFields = Object.keys(attributes);
    const body = { data: { type, attributes }, meta: { operation: 'upsert', matchFields } };
    const surface = `upsert of ${type} with matchFields ${matchFields.join(', ')}`;
    return [{ surface, style: 'rest', method: 'POST', path: `/${type}`, body, expect: 'refusal', pointer: '/meta/matchFields' }];
  });
}

/** Builds requests without the name of the field: ordinary ones, and faulty ones with a similar name. */
function silentProbes({ owner, hops, typo }: ProbedField, rows: number): readonly Probe[] {
  const paths = [
    `/${owner.type}?page[limit]=${rows}`,
    ...hops.map((hop) => `/${hop.from.type}?page[limit]=${rows}&include=${hop.member}`),
    ...(typo === undefined ? [] : ['filter[NAME]=x', 'sort=NAME', 'include=NAME', `fields[${owner.type}]=NAME`]).map(
      (query) => `/${owner.type}?${query.replace('NAME', typo ?? '')}`,
    ),
  ];
  return paths.map((path, index) => ({ ...restProbe(path), expect: 'silence', ...(index === 0 && { control: true }) }));
}
