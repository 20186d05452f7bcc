"""What every part of a settings file and of a rule-set file has in common."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A part of the file in which every key is known and nothing changes after reading."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
