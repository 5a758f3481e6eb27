import type { Attribute, RequiredMembers, Resource } from '../surface/surface.js';

type Members = Pick<Resource, 'attributes' | 'relationships' | 'clientIds' | 'identifier'>;

/** What a create of a resource has to give, worked out once at boot. What may not be written through the API is the host's to fill. */
export function requiredMembers({ attributes, relationships, clientIds, identifier }: Members): RequiredMembers {
  const isRequired = ({ hasDefault, rights }: Attribute): boolean => !hasDefault && rights.create;
  const isRequiredId = ({ name }: Attribute): boolean => clientIds === 'required' && identifier.fields.some((field) => field.name === name);
  return Object.freeze({
    attributes: Object.freeze(attributes.filter(isRequired)),
    inDocument: Object.freeze(attributes.filter((attribute) => isRequired(attribute) || isRequiredId(attribute))),
    relationships: Object.freeze(relationships.filter(({ link, optional, rights }) => link === 'own-key' && !optional && rights.create)),
  });
}
