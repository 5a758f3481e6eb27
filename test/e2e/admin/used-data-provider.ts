import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { DataProviderContext, useDataProvider } from 'ra-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import type { ResourceApiDataProvider } from '../../../lib/react-admin/index.js';

/** Returns a data provider as wrapped by `useDataProvider` of react-admin, which checks results and passes errors to the authentication. */
export function usedDataProvider(dataProvider: ResourceApiDataProvider): ResourceApiDataProvider {
  let used: ResourceApiDataProvider | undefined;
  const Capture = (): null => {
    used = useDataProvider<ResourceApiDataProvider>();
    return null;
  };
  const provided = createElement(DataProviderContext.Provider, { value: dataProvider }, createElement(Capture));
  renderToString(createElement(MemoryRouter, null, createElement(QueryClientProvider, { client: new QueryClient() }, provided)));
  if (!used) throw new Error('Nothing was rendered.');
  return used;
}
