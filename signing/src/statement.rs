//! What a signature says about a component: an in-toto Statement v1 with a predicate of ours.
//!
//! It must never be built from bytes whose signature has not been checked; [`crate::verify`] is the only
//! reader.

use crate::json::{self, Object};
use crate::limits::{FEATURES_MAX, INTEGER_MAX};
use crate::{ContractId, Digest, FeatureName, FormatError, Version, VocabularyName};
use serde::{Deserialize, Serialize};

/// `_type` of every statement.
pub const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v1";
/// `predicateType` of every statement. A change of the predicate's fields is a new type.
pub const PREDICATE_TYPE: &str = "https://holdpoint.dev/vocabulary/v1";

/// A publisher's words about one component file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The vocabulary's name.
    pub name: VocabularyName,
    /// The SHA-256 of the whole component file.
    pub component: Digest,
    /// The version for people.
    pub version: Version,
    /// Grows with every release of this name; a host refuses to go below the floor it remembers.
    pub release: u64,
    /// The contract that the component exports.
    pub contract: ContractId,
    /// First second (since 1970, UTC) at which the statement holds.
    pub not_before_s: u64,
    /// First second at which it no longer holds. Only a pinned component may go without.
    pub expires_s: Option<u64>,
    /// What the host must have.
    pub required_features: Vec<FeatureName>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatementJson {
    #[serde(rename = "_type")]
    statement_type: String,
    subject: [Object<SubjectJson>; 1],
    #[serde(rename = "predicateType")]
    predicate_type: String,
    predicate: Object<PredicateJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SubjectJson {
    name: VocabularyName,
    digest: Object<DigestJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DigestJson {
    sha256: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PredicateJson {
    name: VocabularyName,
    version: Version,
    release: u64,
    contract: ContractId,
    not_before_s: u64,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "json::present")]
    expires_s: Option<u64>,
    required_features: Vec<FeatureName>,
}

impl Statement {
    /// Reads a signed payload.
    pub(crate) fn parse(payload: &[u8]) -> Result<Statement, FormatError> {
        let StatementJson { statement_type, subject: [Object(subject)], predicate_type, predicate } =
            json::read("statement", payload)?;
        let (Object(digest), Object(predicate)) = (subject.digest, predicate);
        if statement_type != STATEMENT_TYPE {
            return Err(FormatError::Rule { what: "`_type`", rule: STATEMENT_TYPE });
        }
        if predicate_type != PREDICATE_TYPE {
            return Err(FormatError::Rule { what: "`predicateType`", rule: PREDICATE_TYPE });
        }
        if subject.name != predicate.name {
            return Err(FormatError::Rule { what: "the subject's name", rule: "the predicate's name" });
        }
        let statement = Statement {
            name: predicate.name,
            component: digest.sha256,
            version: predicate.version,
            release: predicate.release,
            contract: predicate.contract,
            not_before_s: predicate.not_before_s,
            expires_s: predicate.expires_s,
            required_features: predicate.required_features,
        };
        statement.check()?;
        Ok(statement)
    }

    /// Writes the payload to sign. It is refused if [`Statement::parse`] would refuse it.
    #[cfg(feature = "sign")]
    pub(crate) fn to_payload(&self) -> Result<String, FormatError> {
        self.check()?;
        let wire = StatementJson {
            statement_type: STATEMENT_TYPE.to_owned(),
            subject: [Object(SubjectJson {
                name: self.name.clone(),
                digest: Object(DigestJson { sha256: self.component }),
            })],
            predicate_type: PREDICATE_TYPE.to_owned(),
            predicate: Object(PredicateJson {
                name: self.name.clone(),
                version: self.version.clone(),
                release: self.release,
                contract: self.contract.clone(),
                not_before_s: self.not_before_s,
                expires_s: self.expires_s,
                required_features: self.required_features.clone(),
            }),
        };
        json::write("statement", &wire)
    }

    /// The rules that no single field can carry.
    fn check(&self) -> Result<(), FormatError> {
        let numbers =
            [("release", Some(self.release)), ("not_before_s", Some(self.not_before_s)), ("expires_s", self.expires_s)];
        for (what, number) in numbers {
            if number.is_some_and(|number| number > INTEGER_MAX) {
                return Err(FormatError::TooLargeNumber { what });
            }
        }
        if self.expires_s.is_some_and(|expires_s| expires_s <= self.not_before_s) {
            return Err(FormatError::Rule { what: "`expires_s`", rule: "later than `not_before_s`" });
        }
        if self.required_features.len() > FEATURES_MAX {
            return Err(FormatError::TooMany { what: "required features", max: FEATURES_MAX });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
