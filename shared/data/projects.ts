import { Schema } from 'mongoose';
import { type ChangeProject, defaultProjectName, type ProjectDeletion, projectDeletions } from '#contract';
import { removeRow } from '#shared/data/remove-row.ts';
import { collection } from './collection.ts';
import { type Db, newId } from './db.ts';
import { date, nullableText, optional, partOptions, type Row, rowOptions, text } from './row.ts';
import { writeLater } from './write-later.ts';

const project = {
  /** That of a seller's default project is the seller's id. */
  _id: text,
  /** The seller's id. */
  profile: text,
  name: text,
  /** The generation whose image the seller chose as its picture. */
  cover: nullableText,
  /** The seller deleted it, and what is to become of its images. Absent otherwise. */
  deletion: {
    type: new Schema(
      { images: { type: String, enum: projectDeletions, required: true }, at: date },
      partOptions,
    ),
    ...optional,
  },
  created_at: date,
  /** When an image was last added, or the seller created or changed it. */
  updated_at: date,
};

/** A project: images of one seller under a name (docs/decisions/0057-projects.md). */
export interface ProjectRow extends Row<typeof project> {}

const projectSchema = new Schema<ProjectRow>(project, rowOptions);
projectSchema.index({ profile: 1, updated_at: -1 });
projectSchema.index({ 'deletion.at': 1 }, { sparse: true });

export const projects = collection<ProjectRow>('projects', projectSchema, 'apart');

/** Those that sellers see. */
const visible = { deletion: null } as const;

/** What a seller's default project begins with. */
const defaultProject = (sellerId: string, now: Date) => ({
  profile: sellerId,
  name: defaultProjectName,
  cover: null,
  created_at: now,
});

/** Inserts a seller's default project unless it is there: it is made when it is first needed. */
export async function ensureDefaultProject(db: Db, sellerId: string): Promise<void> {
  const now = new Date();
  await projects(db).updateOne(
    { _id: sellerId },
    { $setOnInsert: { ...defaultProject(sellerId, now), updated_at: now } },
    { upsert: true },
  );
}

/** Inserts a project of a seller. */
export async function insertProject(db: Db, sellerId: string, name: string): Promise<ProjectRow> {
  const now = new Date();
  const row = { _id: newId(), profile: sellerId, name, created_at: now, updated_at: now };
  return (await projects(db).create(row)).toObject();
}

/** @returns the number of a seller's projects */
export function countProjects(db: Db, sellerId: string): Promise<number> {
  return projects(db).countDocuments({ profile: sellerId, ...visible });
}

/** @returns a seller's projects, the one that was used last first */
export function listProjects(db: Db, sellerId: string): Promise<ProjectRow[]> {
  return projects(db)
    .find({ profile: sellerId, ...visible })
    .sort({ updated_at: -1, _id: -1 })
    .lean();
}

/** @returns a seller's own project; null when there is none */
export function findProject(db: Db, sellerId: string, id: string): Promise<ProjectRow | null> {
  return projects(db)
    .findOne({ _id: id, profile: sellerId, ...visible })
    .lean();
}

/** Changes name or picture of a seller's own project. @returns it after the change; null when there is none */
export function changeProject(
  db: Db,
  sellerId: string,
  id: string,
  { name, coverId }: ChangeProject,
): Promise<ProjectRow | null> {
  return projects(db)
    .findOneAndUpdate(
      { _id: id, profile: sellerId, ...visible },
      {
        $set: {
          ...(name !== undefined && { name }),
          ...(coverId !== undefined && { cover: coverId }),
          updated_at: new Date(),
        },
      },
      { returnDocument: 'after' },
    )
    .lean();
}

/** The update that moves a project to the front of its seller's list, and makes the default project. */
function moveToFront(sellerId: string, id: string) {
  const now = new Date();
  const front = { $max: { updated_at: now } };
  return id === sellerId
    ? {
        filter: { _id: sellerId },
        update: { ...front, $setOnInsert: defaultProject(sellerId, now) },
        upsert: true,
      }
    : { filter: { _id: id, profile: sellerId, ...visible }, update: front, upsert: false };
}

/** Moves a project to the front of its seller's list. */
export async function touchProject(db: Db, sellerId: string, id: string): Promise<void> {
  const { filter, update, upsert } = moveToFront(sellerId, id);
  await projects(db).updateOne(filter, update, { upsert });
}

/** The same within a second, together with others. @throws when it could not be written */
export function touchProjectLater(db: Db, sellerId: string, id: string): Promise<void> {
  const { filter, ...parts } = moveToFront(sellerId, id);
  return writeLater(db, projects, { updateOne: { filter: filter as never, ...parts } });
}

/** Deletes a seller's own project: from here on no seller sees it. @returns it; null when there is none */
export function beginProjectDeletion(
  db: Db,
  sellerId: string,
  id: string,
  images: ProjectDeletion,
): Promise<ProjectRow | null> {
  return projects(db)
    .findOneAndUpdate(
      { _id: id, profile: sellerId, ...visible },
      { $set: { deletion: { images, at: new Date() } } },
      { returnDocument: 'after' },
    )
    .lean();
}

/** @returns at most `limit` projects that were deleted before a moment */
export function findDeletedProjects(db: Db, deletedBefore: Date, limit: number): Promise<ProjectRow[]> {
  return projects(db)
    .find({ 'deletion.at': { $lt: deletedBefore } })
    .limit(limit)
    .lean();
}

/** Removes a deleted project. */
export async function removeProject(db: Db, id: string): Promise<void> {
  await removeRow(projects(db), { _id: id, deletion: { $exists: true } });
}
