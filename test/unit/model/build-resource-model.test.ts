import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { type Resource } from '../../../lib/model/resource-model.js';
import { type ResourcesOption } from '../../../lib/model/resources-option.js';
import { BLOG } from './schema-builder.js';

function blog(resources?: ResourcesOption): (model: string) => Resource {
  const { model } = buildResourceModel(BLOG, resources && { resources });
  return (name) => {
    const resource = model.byModel.get(name);
    if (!resource) throw new Error(`There is no ${name}.`);
    return resource;
  };
}

describe('buildResourceModel', () => {
  it('exposes everything without options, in schema order', () => {
    const { model, warnings } = buildResourceModel(BLOG);
    expect(warnings).toEqual([]);
    expect(model.resources.map(({ model: name, type, delegate }) => [name, type, delegate])).toEqual([
      ['User', 'user', 'user'],
      ['Post', 'post', 'post'],
      ['Tag', 'tag', 'tag'],
    ]);
    expect([...blog()('Post').fields.keys()]).toEqual(Object.keys(BLOG.models['Post']?.fields ?? {}));
  });
});
