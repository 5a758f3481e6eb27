import type { ResourceApiDataProvider, ResourceDefinition } from 'nestjs-resource-api/react-admin';
import { Button, useDataProvider, useNotify, useRecordContext, useRefresh, useResourceContext } from 'react-admin';

interface Props {
  readonly actions: ResourceDefinition['actions'];
}

/** A button for each action on the record of the row: those of the application, and `restore` of a deleted record. */
export function RecordActions({ actions }: Props) {
  const record = useRecordContext();
  const isDeleted = Boolean(record?.['deletedAt']);
  return actions
    .filter(({ name, on }) => on === 'record' && (name === 'restore') === isDeleted)
    .map(({ name }) => <ActionButton key={name} name={name} />);
}

function ActionButton({ name }: { readonly name: string }) {
  const dataProvider = useDataProvider<ResourceApiDataProvider>();
  const [resource, record, notify, refresh] = [useResourceContext() ?? '', useRecordContext(), useNotify(), useRefresh()];
  const act = async (): Promise<void> => {
    try {
      await dataProvider.act(resource, name, record ? { id: record.id } : {});
      notify(`${name}: done`, { type: 'success' });
    } catch (error) {
      notify(error instanceof Error ? error.message : `${name} failed.`, { type: 'error' });
    }
    refresh();
  };
  return <Button label={name} onClick={() => void act()} />;
}
