import type { ResourceDefinition } from 'nestjs-resource-api/react-admin';
import { reactAdminDataProvider, resourceDefinitions } from 'nestjs-resource-api/react-admin';
import { Admin, Resource } from 'react-admin';
import { createRoot } from 'react-dom/client';
import { client, session } from './api.js';
import { authProvider } from './auth-provider.js';
import { LoginPage } from './login-page.js';
import { createPage, editPage, listPage } from './pages.js';

const dataProvider = reactAdminDataProvider(client);

function toResource(definition: ResourceDefinition) {
  const { name, may, representation } = definition;
  return (
    <Resource
      key={name}
      name={name}
      recordRepresentation={representation}
      {...(may.list && { list: listPage(definition) })}
      {...(may.edit && { edit: editPage(definition) })}
      {...(may.create && { create: createPage(definition) })}
    />
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

createRoot(root).render(
  <Admin dataProvider={dataProvider} authProvider={authProvider} loginPage={LoginPage} requireAuth>
    {async () => (session.token === null ? [] : (await resourceDefinitions(client)).map(toResource))}
  </Admin>,
);
