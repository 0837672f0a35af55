import { type Model, Schema } from 'mongoose';
import { type ImageQuality, imageQualities, type Theme, themes } from '#contract';

/** A seller's settings, keyed by the user's id; the defaults are the contract's. */
export interface UserSettingsRow {
  _id: string;
  user_id: string;
  dark_mode: boolean;
  notifications_enabled: boolean;
  auto_save: boolean;
  image_quality: ImageQuality;
  security_notifications: boolean;
  activity_logging: boolean;
  /** Minutes without activity after which a session ends. */
  session_timeout: number;
  password_expiry_days: number;
  preferences: {
    language: string;
    theme: Theme;
    notifications: { email: boolean; push: boolean };
  };
  created_at: Date;
  updated_at: Date;
}

export type UserSettingsModel = Model<UserSettingsRow>;

export const userSettingsSchema = new Schema<UserSettingsRow, UserSettingsModel>(
  {
    _id: { type: String, required: true },
    user_id: { type: String, required: true },
    dark_mode: { type: Boolean, default: false },
    notifications_enabled: { type: Boolean, default: true },
    auto_save: { type: Boolean, default: true },
    image_quality: { type: String, enum: imageQualities, default: 'high' },
    security_notifications: { type: Boolean, default: true },
    activity_logging: { type: Boolean, default: true },
    session_timeout: { type: Number, default: 30 },
    password_expiry_days: { type: Number, default: 90 },
    preferences: {
      language: { type: String, default: 'en' },
      theme: { type: String, enum: themes, default: 'system' },
      notifications: {
        email: { type: Boolean, default: false },
        push: { type: Boolean, default: false },
      },
    },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
