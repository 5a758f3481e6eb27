import type { ResourceDefinition, ResourceField } from 'nestjs-resource-api/react-admin';
import {
  Create,
  CreateButton,
  DataTable,
  Edit,
  EditButton,
  FilterButton,
  List,
  SaveButton,
  SearchInput,
  SimpleForm,
  Toolbar,
  TopToolbar,
} from 'react-admin';
import { RecordActions } from './actions.js';
import { DeletedFilter } from './deleted-filter.js';
import { toColumn } from './columns.js';
import { toInput } from './inputs.js';

/** Columns of a list, at most. */
const COLUMNS = 6;

/** What users write comes first. */
function columnsOf(fields: readonly ResourceField[]): readonly ResourceField[] {
  const readable = fields.filter(({ may: { read }, kind }) => read && kind !== 'referencing' && kind !== 'references');
  const isWritten = ({ source, may }: ResourceField): boolean => source !== 'id' && (may.create || may.update);
  return [...readable.filter(isWritten), ...readable.filter((field) => !isWritten(field))].slice(0, COLUMNS);
}

export function listPage({ fields, may, actions }: ResourceDefinition) {
  const hasRestore = actions.some(({ name }) => name === 'restore');
  const filters = [
    <SearchInput key="q" source="q" alwaysOn />,
    ...(hasRestore ? [<DeletedFilter key="deleted" source="deletedAt" label="Deleted" />] : []),
  ];
  return () => (
    <List
      filters={filters}
      actions={
        <TopToolbar>
          {hasRestore && <FilterButton />}
          {may.create && <CreateButton />}
        </TopToolbar>
      }
    >
      <DataTable rowClick={false} bulkActionButtons={may.delete ? undefined : false}>
        {columnsOf(fields).map(toColumn)}
        <DataTable.Col label="">
          {may.edit && <EditButton />}
          <RecordActions actions={actions} />
        </DataTable.Col>
      </DataTable>
    </List>
  );
}

export function editPage({ fields, ids, may }: ResourceDefinition) {
  const inputs = fields.filter(({ source, kind, may: { update } }) => update && kind !== 'referencing' && source !== 'id');
  return () => (
    <Edit mutationMode="pessimistic" queryOptions={{ meta: { ids } }} mutationOptions={{ meta: { ids } }}>
      <SimpleForm toolbar={may.delete ? undefined : <SaveToolbar />}>{inputs.map(toInput)}</SimpleForm>
    </Edit>
  );
}

export function createPage({ fields }: ResourceDefinition) {
  const inputs = fields.filter(({ source, kind, may: { create } }) => create && kind !== 'referencing' && source !== 'id');
  return () => (
    <Create redirect="list">
      <SimpleForm>{inputs.map(toInput)}</SimpleForm>
    </Create>
  );
}

function SaveToolbar() {
  return (
    <Toolbar>
      <SaveButton />
    </Toolbar>
  );
}
